/** The answer that a player is preparing, and its preview on the landscape. */
import { mostCows, outlooks } from "../forecast";
import { isPlacement, nextCows } from "./bonus";
import { Choice } from "./choice.svelte";
import type { Tapping } from "../landscape/Landscape.svelte";
import {
    cardValue,
    type BonusLegal,
    type ChooseLegal,
    type Legal,
    type Pasture,
    type ZoffView,
} from "../view";

export class ActionDraft {
    choice = new Choice();
    /** The pastures of the bonus cows, in order. */
    on = $state<string[]>([]);
    /** The colour on each of the dealt pastures (two players). */
    settled = $state<Record<string, string>>({});
    /** The number of cows that was touched, and the one under the pointer, whose preview is shown instead. */
    picked = $state<number | null>(null);
    preview = $state<number | null>(null);
    #key = "";
    #asked = "";

    /** With a storage key, unsealed pairs survive a reload. Not on a shared device: the next player would see them. */
    constructor(readonly storageKey: string | null = null) {}

    /** Keeps the unsealed pairs. */
    keep(): void {
        if (this.storageKey) sessionStorage.setItem(this.storageKey, this.choice.draft());
    }

    /** Starts over when the decision is another one. */
    setUp(view: ZoffView, legal: Legal, key: string): void {
        if (key !== this.#asked) this.settled = {};
        this.#asked = key;
        if (legal.type === "choose") {
            const anew = this.choice.setUp(legal, `${key}/${legal.cards.join("")}`);
            const draft = anew && this.storageKey ? sessionStorage.getItem(this.storageKey) : null;
            if (draft && !legal.sealed) this.choice.takeUp(draft, legal);
            if (legal.sealed && view.answer?.type === "choose")
                this.choice.reopen(view.answer.pairs);
        }
        if (legal.type === "settle" && legal.sealed && view.answer?.type === "settle") {
            this.settled = { ...view.answer.colours };
        }
        const now = `${key}/${legal.type}/${JSON.stringify(legal)}`;
        if (now === this.#key) return;
        this.#key = now;
        this.on = [];
        this.picked = null;
        this.preview = null;
    }

    /** Takes a number of cows: the first of two touches. */
    pick(cows: number): void {
        this.picked = cows;
    }

    tapping(legal: Legal): Tapping | null {
        if (legal.type === "choose") return this.#choosing(legal);
        return legal.type === "bonus" ? this.#paying(legal) : null;
    }

    /** Cows that would stand there, as `pasture/colour`; with cow cards, the most that the forecast allows. */
    ghosts(legal: Legal, pastures: Pasture[] = [], own = ""): Map<string, number> {
        const cows = new Map<string, number>();
        if (legal.type === "choose") {
            for (const { pasture, card, colour } of this.choice.slots) {
                const found = pastures.find(({ name }) => name === pasture);
                if (!found || !card) continue;
                const before = [...cows]
                    .filter(([key]) => key.startsWith(`${found.name}/`))
                    .reduce((sum, [, count]) => sum + count, 0);
                const whose = colour ?? own;
                const most = mostCows(
                    found.herds[whose] ?? 0,
                    Math.min(cardValue(card), found.free - before),
                    outlooks(legal, found.name).find((one) => one.colour === whose),
                );
                if (most > 0) cows.set(`${found.name}/${whose}`, most);
            }
        } else if (legal.type === "bonus") {
            for (const name of this.on) {
                const key = `${name}/${legal.colour}`;
                cows.set(key, (cows.get(key) ?? 0) + 1);
            }
        } else if (legal.type === "place") {
            const picked = this.preview ?? this.picked ?? 0;
            if (picked > 0 && legal.ranks[picked] != null)
                cows.set(`${legal.pasture}/${legal.colour}`, picked);
        } else if (legal.type === "settle") {
            for (const [name, colour] of Object.entries(this.settled)) {
                cows.set(`${name}/${colour}`, 1);
            }
        }
        return cows;
    }

    canPay(legal: BonusLegal): boolean {
        return isPlacement(legal.on, this.on);
    }

    #choosing(legal: ChooseLegal): Tapping {
        const marks = new Map<string, string>();
        for (const [index, slot] of this.choice.slots.entries()) {
            if (!slot.pasture) continue;
            const before = marks.get(slot.pasture);
            const mark = slot.card ?? `${index + 1}`;
            marks.set(slot.pasture, before ? `${before} · ${mark}` : mark);
        }
        return {
            pickable: new Set(legal.sealed ? [] : legal.pastures),
            marks,
            tap: (name) => this.choice.tapPasture(name),
            drop: (name, card) => this.choice.pair(name, card),
        };
    }

    #paying(legal: BonusLegal): Tapping {
        return {
            pickable: nextCows(legal.on, this.on),
            marks: new Map(),
            tap: (name) => this.on.push(name),
        };
    }
}
