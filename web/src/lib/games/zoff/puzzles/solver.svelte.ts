/** A try at a puzzle of Zoff: your choice, what becomes of it, and the solution in the end. */
import { answerOf, rest } from "$lib/api/client";
import type { Schemas } from "$lib/api/types";
import { play } from "$lib/design/sound.svelte";
import { eventsOf, withEvents, type Step } from "../story/events";
import { zoffView, type Cast, type ZoffAction, type ZoffView } from "../view";

export type ZoffPuzzle = Schemas["ZoffPuzzleAnswer"];
export type Brought = Schemas["ZoffBrought"];
type Attempt = Schemas["ZoffAttemptAnswer"];
type Solution = Schemas["ZoffSolutionAnswer"];

function seen(view: Schemas["GameView"]): ZoffView {
    const found = zoffView({ view });
    if (!found) throw new Error("expected a view of Zoff");
    return found;
}

export class ZoffSolver {
    readonly puzzle: ZoffPuzzle;
    /** Whether it counts for the rating of an account. */
    readonly rated: boolean;
    readonly view: ZoffView;
    readonly seat: number;
    readonly cast: Cast;
    /** A choice that isn't the best, and what becomes of it. */
    wrong = $state.raw<Attempt | null>(null);
    solution = $state.raw<Solution | null>(null);
    hint = $state.raw<Schemas["ZoffPuzzleHintAnswer"] | null>(null);
    rating = $state.raw<Attempt["rating"]>(null);
    tries = $state(0);
    busy = $state(false);
    gaveUp = $state(false);
    /** The choice that is on its way. */
    sending = $state.raw<ZoffAction | null>(null);

    constructor(puzzle: ZoffPuzzle, rated = false) {
        this.puzzle = puzzle;
        this.rated = rated;
        this.view = seen(puzzle.view);
        this.seat = this.view.viewer ?? 0;
        const players = puzzle.names.map((name, seat) => ({ seat, name, kind: "person" }));
        this.cast = { view: puzzle.view, players, self: this.seat };
    }

    get over(): boolean {
        return this.solution !== null;
    }

    /** Solved without a wrong choice, a hint, or the solution. */
    get clean(): boolean {
        return this.over && !this.gaveUp && this.tries === 0 && this.hint === null;
    }

    /** The choice that is told of, and what it brings. */
    get brought(): Brought | null {
        return this.solution?.choices[0] ?? this.wrong?.brought ?? null;
    }

    /** What happens after it, to the end of the game. */
    get steps(): Step[] {
        const told = this.solution ?? this.wrong;
        return told ? withEvents([], eventsOf(told), 0) : [];
    }

    /** The table behind these steps. */
    get end(): ZoffView {
        const told = this.solution ?? this.wrong;
        return told ? seen(told.after) : this.view;
    }

    async choose(action: ZoffAction): Promise<void> {
        if (this.wrong) return;
        this.sending = action;
        await this.#ask(async () => {
            const params = { path: { number: this.puzzle.number } };
            const body = { action, rated: this.rated };
            const found = await answerOf(
                rest.POST("/api/puzzles/zoff/{number}/attempt", { params, body }),
            );
            this.rating ??= found.rating;
            if (found.right) {
                this.solution = found.solution;
                play("bonus");
            } else {
                this.tries += 1;
                this.wrong = found;
                play("capture");
            }
        });
    }

    /** Takes a wrong choice back. */
    retry(): void {
        this.wrong = null;
    }

    async askHint(): Promise<void> {
        await this.#ask(async () => {
            const params = this.#asked();
            this.hint = await answerOf(rest.POST("/api/puzzles/zoff/{number}/hint", { params }));
        });
    }

    async giveUp(): Promise<void> {
        await this.#ask(async () => {
            const params = this.#asked();
            this.solution = await answerOf(
                rest.POST("/api/puzzles/zoff/{number}/solution", { params }),
            );
            this.wrong = null;
            this.gaveUp = true;
        });
    }

    #asked() {
        return { path: { number: this.puzzle.number }, query: { rated: this.rated } };
    }

    async #ask(work: () => Promise<void>): Promise<void> {
        if (this.busy || this.over) return;
        this.busy = true;
        try {
            await work();
        } finally {
            this.busy = false;
            this.sending = null;
        }
    }
}
