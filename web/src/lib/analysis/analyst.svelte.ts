/**
 * Asks the server's engine about positions of a game: one at a time, the latest wish only, and never twice.
 *
 * Positions are named by their game and ply: the server looks them up, so the engine can't be asked about other games.
 */
import { Refusal } from "$lib/api/client";
import type { components } from "$lib/api/schema";
import { ask, type Source } from "$lib/replay/load";

export type Analysis = components["schemas"]["AnalysisAnswer"];
export type Line = Analysis["lines"][number];
export type Saying = Analysis["verdict"];

/** Whoever steps quickly through a game doesn't want every position looked at. */
const PAUSE = 250;
const AGAIN = 1000;
const SECONDS = 1;
const LINES = 3;
/** Answers that will be the same the next time. */
const FINAL = new Set(["game_over", "opening", "no_hints"]);

export type Wish = {
    source: Source;
    /** After how many steps; null for where the game stands now. */
    ply: number | null;
    /** The position that is on the screen: an answer about another one comes too early or too late. */
    fen: string;
};

function keyOf({ source, fen }: Wish): string {
    return "record" in source ? fen : `${source.game}/${fen}`;
}

export class Analyst {
    found = $state.raw<Analysis | null>(null);
    thinking = $state(false);
    /** Why there is no answer, in the server's word; empty when all is well. */
    problem = $state("");

    #known = new Map<string, Analysis | string>();
    #wish: Wish | null = null;
    #busy = false;
    #timer: ReturnType<typeof setTimeout> | undefined;

    /** Looks at a position. */
    look(wish: Wish): void {
        const same = this.thinking && this.#wish !== null && keyOf(wish) === keyOf(this.#wish);
        this.#wish = wish;
        if (same) return;
        const known = this.#known.get(keyOf(wish));
        if (known !== undefined) {
            this.#show(known);
            return;
        }
        this.found = null;
        this.problem = "";
        this.thinking = true;
        this.#later(PAUSE);
    }

    /** Nothing is wanted any more. */
    rest(): void {
        this.#wish = null;
        this.found = null;
        this.problem = "";
        this.thinking = false;
        clearTimeout(this.#timer);
    }

    /** Another game: what is known is of no use. */
    forget(): void {
        this.rest();
        this.#known.clear();
    }

    #later(ms: number): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#ask(), ms);
    }

    async #ask(): Promise<void> {
        const wish = this.#wish;
        if (this.#busy || wish === null) return;
        this.#busy = true;
        let answer: Analysis | string;
        try {
            const budget = { lines: LINES, seconds: SECONDS };
            answer = await ask<Analysis>("/api/analyse", { ...named(wish), ...budget });
            if (answer.fen !== wish.fen) answer = "busy";
        } catch (error) {
            answer = error instanceof Refusal ? error.problem.error : "away";
        }
        this.#busy = false;
        if (typeof answer !== "string" || FINAL.has(answer)) this.#known.set(keyOf(wish), answer);
        if (this.#wish === null || keyOf(this.#wish) !== keyOf(wish)) {
            if (this.thinking) void this.#ask();
        } else if (answer === "too_fast" || answer === "busy") {
            this.#later(AGAIN);
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

function named({ source, ply }: Wish): object {
    if ("record" in source) return { record: source.record, ply };
    return source.game === null
        ? { table: source.table, ply }
        : { table: source.table, game: source.game, ply };
}
