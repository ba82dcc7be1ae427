/** What the pages of all puzzles do: ask for one, say what went wrong, and note what became of it. */
import type { Snippet } from "svelte";
import { Refusal } from "$lib/api/client";
import { errorText } from "$lib/api/errorText";
import type { GameName } from "$lib/games";
import { load, noteDay, noteSolved, type Progress } from "./progress";
import { syncDays } from "./sync";

/** What a puzzle on a page is given, whatever its game. */
export type SolvingProps<S> = {
    solver: S;
    /** The page's title and what stands below it. */
    head: Snippet;
    /** What leads on. */
    foot: Snippet;
    /** What comes last. */
    below?: Snippet | undefined;
    ondone: (solver: S) => void;
};

/** A try at a puzzle that is over. */
type Tried = { puzzle: { number: number }; clean: boolean };

export class Training {
    problem = $state("");
    progress = $state.raw<Progress>(load());

    readonly #game: GameName;
    readonly #address: string;
    readonly #stored: string | undefined;

    /** `stored` names where the device remembers it; `address` is that of the endless puzzles. */
    constructor(game: GameName, address: string, stored?: string) {
        this.#game = game;
        this.#address = address;
        this.#stored = stored;
        this.progress = load(stored);
    }

    /** Does what may fail; `none` says that there is no such puzzle. */
    async attempt(work: () => Promise<void>, none: () => string): Promise<void> {
        this.problem = "";
        try {
            await work();
        } catch (error) {
            const missing = error instanceof Refusal && [404, 422].includes(error.status);
            this.problem = missing ? none() : errorText(error);
        }
    }

    noteSolved({ puzzle, clean }: Tried): void {
        this.progress = noteSolved(puzzle.number, clean, this.#stored);
    }

    noteDay(day: string, { clean }: Tried): void {
        this.progress = noteDay(day, clean ? "solved" : "helped", this.#stored);
        void this.sync();
    }

    /** Tells the days to the account, and learns those that it knows. */
    async sync(): Promise<void> {
        this.progress = await syncDays(this.#game, this.#stored);
    }

    /** The address of a single puzzle goes when another one comes. */
    leave(number: number | null): void {
        if (number !== null) history.replaceState(null, "", this.#address);
    }
}
