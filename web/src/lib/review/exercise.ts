/** Exercises: a costly decision to take again. */
import type { GameAction, Replay, ReviewedDecision } from "$lib/api/types";
import type { Source } from "$lib/replay/load";

/** What a player tried, and what it is worth in the decision's unit; null where that isn't known. */
export type Answer = { action: GameAction; value: number | null };

export type ExerciseProps = {
    replay: Replay;
    source: Source;
    decision: ReviewedDecision;
    answer: Answer | null;
    onanswer: (answer: Answer) => void;
};

const text = (action: GameAction): string => JSON.stringify(action);
export const same = (one: GameAction, other: GameAction): boolean => text(one) === text(other);

/** All that the review knows the worth of, in an order that doesn't give the best away: by its text. */
export function optionsOf(decision: ReviewedDecision): Answer[] {
    const known = new Map<string, Answer>();
    for (const { action, value } of decision.alternatives)
        known.set(text(action), { action, value });
    const { best, best_value, chosen, value } = decision;
    known.set(text(best), { action: best, value: best_value });
    known.set(text(chosen), { action: chosen, value });
    return [...known.entries()]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, it]) => it);
}

export type Grade = "best" | "even" | "better" | "same" | "worse";

/** How an answer compares with the best and with what was played; `close` is a difference that means nothing. */
export function gradeOf(decision: ReviewedDecision, action: GameAction, value: number): Grade {
    const close = decision.unit === "chance" ? 0.03 : 0.15;
    if (same(action, decision.best)) return "best";
    if (value >= decision.best_value - close) return "even";
    if (value > decision.value + close) return "better";
    return value >= decision.value - close ? "same" : "worse";
}
