/** A try at a puzzle: your moves, the server's answers to them, what refutes a wrong one. */
import { answerOf, rest } from "$lib/api/client";
import type { Puzzle, Schemas, Solution } from "$lib/api/types";
import { play } from "$lib/design/sound.svelte";
import { afterMove } from "../board/plies";

type Attempt = Schemas["AttemptAnswer"];
type Hint = Schemas["PuzzleHintAnswer"];

export class Solver {
    puzzle: Puzzle;
    /** Whether it counts for the rating of an account. */
    readonly rated: boolean;
    /** The own moves that were right. */
    #mine = $state.raw<string[]>([]);
    /** The answer to them. */
    latest = $state.raw<Attempt | null>(null);
    /** A move that doesn't win, with what refutes it. */
    wrong = $state.raw<Attempt | null>(null);
    tries = $state(0);
    hint = $state.raw<Hint | null>(null);
    solution = $state.raw<Solution | null>(null);
    rating = $state.raw<Attempt["rating"]>(null);
    pending = $state<string | null>(null);
    busy = $state(false);
    gaveUp = $state(false);
    /** How many moves of the solution are shown. */
    shown = $state(0);

    constructor(puzzle: Puzzle, rated = false) {
        this.puzzle = puzzle;
        this.rated = rated;
    }

    get over(): boolean {
        return this.solution !== null;
    }

    /** Solved without a wrong move, a hint, or the solution. */
    get clean(): boolean {
        return this.over && !this.gaveUp && this.tries === 0 && this.hint === null;
    }

    get line(): string[] {
        return this.gaveUp ? (this.solution?.line ?? []) : (this.latest?.played ?? []);
    }

    get fen(): string {
        if (this.over) return this.line.slice(0, this.shown).reduce(afterMove, this.puzzle.fen);
        if (this.wrong) return this.wrong.fen;
        const fen = this.latest?.fen ?? this.puzzle.fen;
        return this.pending ? afterMove(fen, this.pending) : fen;
    }

    get lastMove(): string | null {
        if (this.over) return this.line[this.shown - 1] ?? null;
        return this.pending ?? this.wrong?.played.at(-1) ?? this.latest?.played.at(-1) ?? null;
    }

    get legal(): Record<string, string[]> {
        if (this.over || this.wrong || this.busy) return {};
        return this.latest?.moves ?? this.puzzle.moves;
    }

    async move(move: string): Promise<void> {
        if (this.busy || this.over || this.wrong) return;
        this.pending = move;
        await this.#ask(async () => {
            const moves = [...this.#mine, move];
            const params = { path: { number: this.puzzle.number } };
            const body = { moves, rated: this.rated };
            const found = await answerOf(
                rest.POST("/api/puzzles/{number}/attempt", { params, body }),
            );
            this.rating ??= found.rating;
            if (!found.right) {
                this.tries += 1;
                this.wrong = found;
                play("capture");
                return;
            }
            this.#mine = moves;
            this.latest = found;
            this.hint = null;
            if (found.over) {
                this.solution = found.solution;
                this.shown = found.played.length;
                play("bonus");
            }
        });
    }

    /** Takes a wrong move back. */
    retry(): void {
        this.wrong = null;
    }

    async askHint(): Promise<void> {
        await this.#ask(async () => {
            const params = { path: { number: this.puzzle.number }, query: { rated: this.rated } };
            this.hint = await answerOf(rest.POST("/api/puzzles/{number}/hint", { params }));
            this.tries += 1;
        });
    }

    async giveUp(): Promise<void> {
        await this.#ask(async () => {
            const params = { path: { number: this.puzzle.number }, query: { rated: this.rated } };
            this.solution = await answerOf(rest.POST("/api/puzzles/{number}/solution", { params }));
            this.wrong = null;
            this.gaveUp = true;
            this.shown = 1;
        });
    }

    async #ask(work: () => Promise<void>): Promise<void> {
        if (this.busy || this.over) return;
        this.busy = true;
        try {
            await work();
        } finally {
            this.busy = false;
            this.pending = null;
        }
    }
}
