/** A review as it grows: the curve, the decisions, and how far it is. */
import { Refusal } from "$lib/api/client";
import type { CurvePoint, ReviewedDecision, ReviewLine } from "$lib/api/types";
import type { Source } from "$lib/replay/load";
import { streamReview } from "./stream";

export class Review {
    points = $state.raw<CurvePoint[]>([]);
    decisions = $state.raw<ReviewedDecision[]>([]);
    losses = $state.raw<number[]>([]);
    turningPoints = $state.raw<number[]>([]);
    retry = $state.raw<number[][]>([]);
    /** How many reviews come first. */
    ahead = $state(0);
    parts = $state(0);
    done = $state(0);
    /** The code of what went wrong; empty while all is well. */
    problem = $state("");
    /** What the server says about it. */
    message = $state("");

    #abort: AbortController | null = null;

    readonly complete = $derived(this.losses.length > 0);

    async start(source: Source): Promise<void> {
        this.stop();
        const abort = new AbortController();
        this.#abort = abort;
        this.problem = "";
        try {
            await streamReview(source, (line) => this.#take(line), abort.signal);
            if (!this.complete && !this.problem) this.problem = "away";
        } catch (error) {
            if (abort.signal.aborted) return;
            this.problem = error instanceof Refusal ? error.problem.error : "away";
            this.message = error instanceof Refusal ? error.message : "";
        }
    }

    /** The decisions of these steps, as far as they are known. */
    decisionsAt(turns: readonly number[]): ReviewedDecision[] {
        return turns.flatMap((at) => this.decisions.filter((one) => one.turn === at));
    }

    stop(): void {
        this.#abort?.abort();
        this.#abort = null;
    }

    #take(line: ReviewLine): void {
        switch (line.type) {
            case "queue":
                this.ahead = line.ahead;
                break;
            case "start":
                this.ahead = 0;
                this.parts = line.parts;
                break;
            case "part":
                this.done += 1;
                this.points = merged(this.points, line.points);
                this.decisions = merged(this.decisions, line.decisions);
                break;
            case "done":
                this.turningPoints = line.turning_points;
                this.retry = line.retry;
                this.losses = line.losses;
                break;
            case "problem":
                this.problem = line.code;
                this.message = line.message;
        }
    }
}

/** Both lists in the order of the game; what is new replaces what was found before for the same turn. */
export function merged<T extends { turn: number }>(before: T[], found: T[]): T[] {
    if (found.length === 0) return before;
    const byTurn = new Map([...before, ...found].map((one) => [one.turn, one]));
    return [...byTurn.values()].sort((one, other) => one.turn - other.turn);
}
