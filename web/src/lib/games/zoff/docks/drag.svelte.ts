/**
 * A cow card under a finger or a mouse: carried over the landscape, dropped on a pasture or a pair.
 *
 * Pointer events, so that a phone can drag, too. Elements that take a card have `data-drop`.
 */
import { getContext, setContext } from "svelte";

const KEY = Symbol("a card being dragged");
/** Pixels that a pointer moves before a tap becomes a drag. */
const DRAG_DISTANCE = 8;
const EDGE = 70;
const SCROLL = 9;

export class CardDrag {
    card = $state<string | null>(null);
    x = $state(0);
    y = $state(0);
    /** Where it would be dropped: a pasture's name. */
    over = $state<string | null>(null);

    #from: { x: number; y: number; card: string } | null = null;
    #frame = 0;

    constructor(readonly drop: (pasture: string, card: string) => void) {}

    down(event: PointerEvent, card: string): void {
        if (event.button !== 0) return;
        this.#from = { x: event.clientX, y: event.clientY, card };
        (event.currentTarget as Element).setPointerCapture(event.pointerId);
    }

    move(event: PointerEvent): void {
        if (!this.#from) return;
        const far = Math.hypot(event.clientX - this.#from.x, event.clientY - this.#from.y);
        if (this.card === null && far < DRAG_DISTANCE) return;
        if (this.card === null) this.#scroll();
        this.card = this.#from.card;
        this.x = event.clientX;
        this.y = event.clientY;
        this.over = this.#below();
    }

    /** Drops the card; true when it was dragged, so that the click isn't a tap. */
    up(): boolean {
        const { card, over } = this;
        this.cancel();
        if (card !== null && over !== null) this.drop(over, card);
        return card !== null;
    }

    cancel(): void {
        this.#from = null;
        this.card = null;
        this.over = null;
        cancelAnimationFrame(this.#frame);
    }

    #below(): string | null {
        const found = document
            .elementFromPoint(this.x, this.y)
            ?.closest<HTMLElement>("[data-drop]");
        return found?.dataset["drop"] ?? null;
    }

    /** Near the edge the landscape comes nearer: on a phone most of it is out of sight. */
    #scroll(): void {
        const roll = () => {
            const bottom = document.querySelector("[data-sheet]")?.getBoundingClientRect().top;
            const low = bottom !== undefined && bottom > 0 ? bottom : innerHeight;
            if (this.y < EDGE) scrollBy(0, -SCROLL);
            else if (this.y > low - EDGE && this.y < low) scrollBy(0, SCROLL);
            if (this.card !== null) this.over = this.#below();
            this.#frame = requestAnimationFrame(roll);
        };
        this.#frame = requestAnimationFrame(roll);
    }
}

export const provideDrag = (drag: CardDrag): CardDrag => setContext(KEY, drag);
export const useDrag = (): CardDrag | undefined => getContext<CardDrag | undefined>(KEY);
