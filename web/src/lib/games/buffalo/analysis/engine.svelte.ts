/**
 * Asks the server's engine about positions of a game: one at a time, the latest query only, and never twice.
 *
 * Positions are named by their game and ply: the server looks them up, so the engine can't be asked about other games.
 */
import { answerOf, Refusal, restOnce } from "$lib/api/client";
import type { Analysis, AnalysisRequest } from "$lib/api/types";
import { bodyOf, type Source } from "$lib/replay/load";

export type Line = Analysis["lines"][number];
export type Remark = Analysis["verdict"];

/** Milliseconds before a request: a user who steps quickly through a game doesn't need every position. */
const DEBOUNCE = 250;
const RETRY = 1000;
const SECONDS = 1;
const LINES = 3;
/** Answers that will be the same the next time. */
const FINAL = new Set(["game_over", "opening", "no_hints"]);

export type Query = {
    /** Null for a position that was set up by hand. */
    source: Source | null;
    /** After how many steps; null for where the game stands now. */
    ply: number | null;
    /** The position that is on the screen: an answer about another one comes too early or too late. */
    fen: string;
};

function keyOf({ source, fen }: Query): string {
    return source === null || "record" in source ? fen : `${source.game}/${fen}`;
}

export class EngineClient {
    found = $state.raw<Analysis | null>(null);
    thinking = $state(false);
    /** The server's error code; empty when there is none. */
    problem = $state("");

    #known = new Map<string, Analysis | string>();
    #query: Query | null = null;
    #busy = false;
    #timer: ReturnType<typeof setTimeout> | undefined;

    /** Asks about a position. */
    analyse(query: Query): void {
        const same = this.thinking && this.#query !== null && keyOf(query) === keyOf(this.#query);
        this.#query = query;
        if (same) return;
        const known = this.#known.get(keyOf(query));
        if (known !== undefined) {
            this.#show(known);
            return;
        }
        this.found = null;
        this.problem = "";
        this.thinking = true;
        this.#later(DEBOUNCE);
    }

    /** Drops the query. */
    stop(): void {
        this.#query = null;
        this.found = null;
        this.problem = "";
        this.thinking = false;
        clearTimeout(this.#timer);
    }

    /** Drops the query and all answers: for another game. */
    reset(): void {
        this.stop();
        this.#known.clear();
    }

    #later(ms: number): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#ask(), ms);
    }

    async #ask(): Promise<void> {
        const query = this.#query;
        if (this.#busy || query === null) return;
        this.#busy = true;
        let answer: Analysis | string;
        try {
            const body = { ...positionOf(query), lines: LINES, seconds: SECONDS };
            answer = await answerOf(restOnce.POST("/api/analyse", { body }));
            if (answer.fen !== query.fen) answer = "busy";
        } catch (error) {
            answer = error instanceof Refusal ? error.problem.error : "away";
        }
        this.#busy = false;
        if (typeof answer !== "string" || FINAL.has(answer)) this.#known.set(keyOf(query), answer);
        if (this.#query === null || keyOf(this.#query) !== keyOf(query)) {
            if (this.thinking) void this.#ask();
        } else if (answer === "too_fast" || answer === "busy") {
            this.#later(RETRY);
        } else {
            this.#show(answer);
        }
    }

    #show(answer: Analysis | string): void {
        clearTimeout(this.#timer);
        this.thinking = false;
        this.found = typeof answer === "string" ? null : answer;
        this.problem = typeof answer === "string" ? answer : "";
    }
}

function positionOf({ source, ply, fen }: Query): Omit<AnalysisRequest, "lines" | "seconds"> {
    if (source === null) return { fen };
    return { ...bodyOf(source), ply };
}
