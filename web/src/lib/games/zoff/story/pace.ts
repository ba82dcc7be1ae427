/**
 * How long the steps of a round are shown: trivial ones pass quickly, drama takes its time.
 *
 * Clocks wait as long: `stampede/zoff/story.py` names the same figures, and a test compares them.
 */
import type { Step, ZoffEvent } from "./events";

export const SPEEDS = { slow: 3200, normal: 1900, fast: 800, instant: 0 };
export type Speed = keyof typeof SPEEDS;

/** How long a step stays, compared with others: what must be read stays longer. */
const WEIGHTS: Partial<Record<ZoffEvent["kind"], number>> = {
    revealed: 1.8,
    precedence: 1.25,
    filled: 1.1,
    bonus_placed: 1.2,
    round_ended: 0.6,
    bonus_lapsed: 0.7,
    settled: 1.5,
};
/** What nobody had to decide passes at double speed. */
const TRIVIAL = 0.5;

/** Whether a step tells of nothing that could have been otherwise: one alone on a pasture, a forced answer. */
export function isTrivial({ events: [event] }: Step): boolean {
    if (event.kind === "precedence") return event.turns.length === 1;
    return (event.kind === "placed" || event.kind === "bonus_placed") && event.forced;
}

/** How long a step stays, compared with an ordinary one. */
export function weightOf(step: Step): number {
    return isTrivial(step) ? TRIVIAL : (WEIGHTS[step.events[0].kind] ?? 1);
}

/** How cows walk in: how long they wait, how far one is behind the other, how long each takes. In milliseconds. */
export type Arrival = { delay: number; each: number; walk: number };
export const WALK: Arrival = { delay: 0, each: 70, walk: 460 };

/** How a step's cows walk in at a speed; those of a bonus wait until their medal has hopped to its owner. */
export function arrivalAt(step: Step | undefined, speed: Speed): Arrival {
    const pace = (SPEEDS[speed] / SPEEDS.normal) * (step && isTrivial(step) ? TRIVIAL : 1);
    const waits = step?.events[0].kind === "bonus_placed" ? 780 : 0;
    const scaled = (value: number): number => Math.round(value * pace);
    return { delay: scaled(waits), each: scaled(WALK.each), walk: scaled(WALK.walk) };
}
