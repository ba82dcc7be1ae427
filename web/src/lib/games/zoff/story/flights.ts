/**
 * Moves what the story tells of: cards from the seats, medals to their owners, cows to their fields.
 *
 * Everything is a transform or an opacity by the Web Animations API, so that the compositor can do it, on elements in a
 * layer of its own. Nothing here decides what happens: the board underneath shows it already.
 */
import type { Point } from "../landscape/parcels";
import type { Of, Step, ZoffEvent } from "./events";
import { isTrivial, SPEEDS, type Speed } from "./pace";

const LIFT = 180;
const APART = 40;
const FLY = 450;
const FLIP = 260;
const BEAT = 300;
const HOP = 420;
const CROWD = 3;
const OUT = "cubic-bezier(0.2, 0.7, 0.2, 1)";

export class Flights {
    #running: Animation[] = [];
    #pace = 1;

    /**
     * @param stage Holds seats (`data-seat`) and pastures (`data-plot`).
     * @param layer Lies above them; what flies is put here.
     */
    constructor(
        readonly stage: HTMLElement,
        readonly layer: HTMLElement,
    ) {}

    /** Ends all that still flies. */
    clear(): void {
        for (const animation of this.#running) animation.cancel();
        this.#running = [];
        this.layer.replaceChildren();
    }

    /** Shows how a step came about; nothing with reduced motion, where the board's cross-fades tell it. */
    play(step: Step, speed: Speed, colourOf: (seat: number) => string): void {
        this.clear();
        if (speed === "instant" || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        this.#pace = (SPEEDS[speed] / SPEEDS.normal) * (isTrivial(step) ? 0.5 : 1);
        const first: ZoffEvent = step.events[0];
        switch (first.kind) {
            case "revealed":
                return this.#reveal(step.events as Of<"revealed">[], colourOf);
            case "filled":
                return this.#fill(first.pasture);
            case "bonus_placed":
                return this.#pay(first);
            case "final_bonus":
                return this.#drop(first.pasture);
            case "wasted":
                return this.#tremble(this.#find(`[data-plot="${first.pasture}"] [data-tag]`));
            default:
        }
    }

    /** Cards lift, fly to their pastures, and turn together; where three or more meet, the pasture trembles. */
    #reveal(events: Of<"revealed">[], colourOf: (seat: number) => string): void {
        const pairs = events.flatMap(({ seat, choice }) =>
            (choice?.pairs ?? []).map(([pasture, card, colour]) => ({
                seat,
                pasture,
                card,
                colour: colour ?? colourOf(seat),
            })),
        );
        const counts = new Map<string, number>();
        const turned = LIFT + pairs.length * APART + FLY + 60;
        pairs.forEach(({ seat, pasture, card, colour }, index) => {
            const there = counts.get(pasture) ?? 0;
            counts.set(pasture, there + 1);
            const [from, to] = [
                this.#middle(this.#find(`[data-seat="${seat}"]`)),
                this.#middle(this.#find(`[data-plot="${pasture}"]`)),
            ];
            if (!from || !to) return;
            const fan = there * 16 - 12;
            const element = this.#card(card, colour);
            const start = `translate(${from.x}px, ${from.y}px)`;
            const end = `translate(${to.x + fan}px, ${to.y}px) rotate(${fan / 4}deg)`;
            const all = turned + FLIP + BEAT + 220;
            const at = (time: number): number => Math.min(1, time / all);
            this.#animate(
                element,
                [
                    { transform: `${start} scale(0.4)`, opacity: 0, offset: 0 },
                    {
                        transform: `${start} translateY(-10px) scale(1.1)`,
                        opacity: 1,
                        offset: at(LIFT),
                        easing: "linear",
                    },
                    {
                        transform: `${start} translateY(-10px) scale(1.1)`,
                        offset: at(LIFT + index * APART),
                        easing: OUT,
                    },
                    { transform: end, offset: at(LIFT + index * APART + FLY) },
                    { transform: end, opacity: 1, offset: at(all - 220) },
                    { transform: `${end} scale(0.7)`, opacity: 0, offset: 1 },
                ],
                { duration: all },
            );
            this.#turn(element, turned);
        });
        for (const [pasture, count] of counts) {
            const plot = this.#find(`[data-plot="${pasture}"]`);
            if (count >= CROWD) this.#tremble(plot, turned - 60);
            const tags = plot?.querySelector<HTMLElement>("[data-tags]");
            if (tags)
                this.#animate(
                    tags,
                    [{ opacity: 0 }, { opacity: 0, offset: 0.95 }, { opacity: 1 }],
                    {
                        duration: turned + FLIP + BEAT + 200,
                    },
                );
        }
        this.#dim(turned + FLIP);
    }

    /** The last space is covered: the rails shine, the medals drop off the fence. */
    #fill(pasture: string): void {
        const shine = this.#find(`[data-plot="${pasture}"] .shine`);
        if (shine)
            this.#animate(shine, [{ opacity: 0 }, { opacity: 0.9, offset: 0.3 }, { opacity: 0 }], {
                duration: 900,
            });
        this.#drop(pasture);
    }

    #drop(pasture: string): void {
        const medals = this.stage.querySelectorAll<HTMLElement>(
            `[data-plot="${pasture}"] [data-medal]`,
        );
        medals.forEach((medal, index) =>
            this.#animate(
                medal,
                [
                    { transform: "translateY(-0.9em)", easing: "ease-in" },
                    { transform: "translateY(0.25em)", offset: 0.5, easing: "ease-out" },
                    { transform: "translateY(-0.2em)", offset: 0.75 },
                    { transform: "none" },
                ],
                { duration: 460, delay: 160 + index * 90 },
            ),
        );
    }

    /** A medal hops to its owner's seat, becomes cows there, and these trot to the fields that were chosen. */
    #pay({ source, rank, seat, colour, on }: Of<"bonus_placed">): void {
        const medal = this.#find(`[data-plot="${source}"] [data-medal="${rank}"]`);
        const from = this.#middle(medal) ?? this.#middle(this.#find(`[data-plot="${source}"]`));
        const to = this.#middle(this.#find(`[data-seat="${seat}"]`));
        if (!from || !to) return;
        const flying = medal?.cloneNode(true);
        if (flying instanceof HTMLElement) {
            flying.classList.add("flying");
            this.layer.append(flying);
            this.#hop(flying, from, to, 0);
        }
        on.forEach((pasture, index) => {
            const target = this.#middle(this.#find(`[data-plot="${pasture}"]`));
            if (target) this.#hop(this.#cow(colour), to, target, HOP - 40 + index * 90);
        });
    }

    /** An arc from one place to another. */
    #hop(element: HTMLElement, from: Point, to: Point, delay: number): void {
        const top = Math.min(from.y, to.y) - 36;
        const move = ({ x, y }: Point, scale = 1): string =>
            `translate(${x}px, ${y}px) scale(${scale})`;
        this.#animate(
            element,
            [
                { transform: move(from, 0.9), opacity: 0, easing: "ease-out" },
                { transform: move(from, 1.1), opacity: 1, offset: 0.15, easing: "ease-out" },
                {
                    transform: move({ x: (from.x + to.x) / 2, y: top }, 1.35),
                    offset: 0.55,
                    easing: "ease-in",
                },
                { transform: move(to), opacity: 1, offset: 0.92 },
                { transform: move(to, 0.8), opacity: 0 },
            ],
            { duration: HOP, delay },
        );
    }

    #tremble(element: HTMLElement | null, delay = 0): void {
        if (!element) return;
        const frames = [0, -3, 3, -2, 2, -1, 0].map((x) => ({ transform: `translateX(${x}px)` }));
        this.#animate(element, frames, { duration: 380, delay });
    }

    /** The sky dims slightly until the cards have turned. */
    #dim(duration: number): void {
        const shade = document.createElement("div");
        shade.className = "shade";
        this.layer.prepend(shade);
        const frames = [
            { opacity: 0 },
            { opacity: 1, offset: 0.2 },
            { opacity: 1, offset: 0.8 },
            { opacity: 0 },
        ];
        this.#animate(shade, frames, { duration });
    }

    #turn(card: HTMLElement, delay: number): void {
        const [back, front] = card.children as unknown as [HTMLElement, HTMLElement];
        this.#animate(back, [{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], {
            duration: FLIP / 2,
            delay,
            easing: "ease-in",
        });
        this.#animate(front, [{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], {
            duration: FLIP / 2,
            delay: delay + FLIP / 2,
            easing: "ease-out",
        });
    }

    #card(card: string, colour: string): HTMLElement {
        const element = document.createElement("div");
        element.className = "flying card";
        const [back, front] = [document.createElement("i"), document.createElement("b")];
        back.style.background = `var(--${colour})`;
        front.textContent = card;
        element.append(back, front);
        this.layer.append(element);
        return element;
    }

    #cow(colour: string): HTMLElement {
        const element = document.createElement("div");
        element.className = "flying cow";
        element.innerHTML = `<svg viewBox="0 0 32 24"><use href="#zoff-cow-${colour}" /></svg>`;
        this.layer.append(element);
        return element;
    }

    #find(selector: string): HTMLElement | null {
        return this.stage.querySelector<HTMLElement>(selector);
    }

    #middle(element: Element | null): Point | null {
        if (!element) return null;
        const box = element.getBoundingClientRect();
        const origin = this.layer.getBoundingClientRect();
        return {
            x: box.x - origin.x + box.width / 2,
            y: box.y - origin.y + box.height / 2,
        };
    }

    #animate(element: Element, frames: Keyframe[], timing: KeyframeAnimationOptions): void {
        const scaled = {
            fill: "both" as const,
            ...timing,
            duration: Number(timing.duration ?? 0) * this.#pace,
            delay: Number(timing.delay ?? 0) * this.#pace,
        };
        const animation = element.animate(frames, scaled);
        this.#running.push(animation);
        animation.onfinish = () => {
            if (this.layer.contains(element) && element.parentElement === this.layer)
                element.remove();
            else if (!this.layer.contains(element)) animation.cancel();
        };
    }
}
