/** A review as it grows: the curve, the decisions, how far it is, and what it waits for. */
import { Refusal } from "$lib/api/client";
import type { CurvePoint, ReviewedDecision, ReviewLine } from "$lib/api/types";
import type { Source } from "$lib/replay/load";
import { streamReview } from "./stream";

/** What passes by itself: there is no room yet, or the connection broke. */
const PASSES = ["too_many_reviews", "address_busy", "busy", "too_fast"];
/** Seconds until the next try where the server doesn't say how many. */
const PAUSE = 3;
const LONGEST = 30;
/** So often a broken connection is tried again before the reader has to ask for it. */
const ATTEMPTS = 4;

const sleep = (seconds: number, signal: AbortSignal) =>
    new Promise<void>((done) => {
        const timer = setTimeout(done, seconds * 1000);
        signal.addEventListener("abort", () => {
            clearTimeout(timer);
            done();
        });
    });

export class Review {
    points = $state.raw<CurvePoint[]>([]);
    decisions = $state.raw<ReviewedDecision[]>([]);
    losses = $state.raw<number[]>([]);
    turningPoints = $state.raw<number[]>([]);
    retry = $state.raw<number[][]>([]);
    /** The seed and the counts that limit the searches: with the record, all that the review depends on. */
    budget = $state.raw<Record<string, number>>({});
    /** How many reviews come first, and whether one of them is the reader's own. */
    ahead = $state(0);
    own = $state(false);
    parts = $state(0);
    done = $state(0);
    /** The code of what it waits for before it tries again by itself; empty while it doesn't. */
    waiting = $state("");
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
        this.waiting = "";
        for (let broken = 0; ;) {
            const pause = await this.#read(source, abort.signal);
            if (abort.signal.aborted || pause === null) return;
            broken = this.waiting === "away" ? broken + 1 : 0;
            if (broken >= ATTEMPTS) {
                this.#fail("away");
                return;
            }
            await sleep(Math.min(pause, LONGEST), abort.signal);
            if (abort.signal.aborted) return;
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

    /** Reads the review as far as it comes; returns in how many seconds to try again, or null when nothing is left to do. */
    async #read(source: Source, signal: AbortSignal): Promise<number | null> {
        try {
            await streamReview(source, (line) => this.#take(line), signal);
        } catch (error) {
            if (signal.aborted) return null;
            if (!(error instanceof Refusal)) return this.#wait("away");
            const { error: code, retry_after: later } = error.problem;
            if (PASSES.includes(code)) return this.#wait(code, later ?? PAUSE);
            this.#fail(code, error.message);
            return null;
        }
        if (this.complete || this.problem) return null;
        return this.#wait(this.waiting || "away");
    }

    #wait(code: string, seconds = PAUSE): number {
        this.waiting = code;
        this.ahead = 0;
        return Math.max(1, seconds);
    }

    #fail(code: string, message = ""): void {
        this.waiting = "";
        this.problem = code;
        this.message = message;
    }

    #take(line: ReviewLine): void {
        if (line.type !== "problem") this.waiting = "";
        switch (line.type) {
            case "queue":
                this.ahead = line.ahead;
                this.own = line.own;
                break;
            case "start":
                this.ahead = 0;
                this.parts = line.parts;
                this.budget = line.budget;
                this.done = 0;
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
                if (PASSES.includes(line.code)) this.waiting = line.code;
                else this.#fail(line.code, line.message);
        }
    }
}

/** Both lists in the order of the game; what is new replaces what was found before for the same turn. */
export function merged<T extends { turn: number }>(before: T[], found: T[]): T[] {
    if (found.length === 0) return before;
    const byTurn = new Map([...before, ...found].map((one) => [one.turn, one]));
    return [...byTurn.values()].sort((one, other) => one.turn - other.turn);
}
