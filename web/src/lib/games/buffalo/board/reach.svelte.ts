/** Where pieces could go on an empty board, as the server says: what a move chosen in advance can be, and why not. */
import { answerOf, rest } from "$lib/api/client";
import type { Kind, Legal, Piece } from "./board";

type Squares = Record<string, string[]>;

class Reach {
    #all = $state.raw<Record<string, Squares>>({});
    #asked: Promise<void> | null = null;

    /** Fetches it once; a failure is tried again the next time. */
    ready(): Promise<void> {
        this.#asked ??= answerOf(rest.GET("/api/buffalo/reach")).then(
            ({ reach }) => void (this.#all = reach),
            () => void (this.#asked = null),
        );
        return this.#asked;
    }

    get known(): boolean {
        return Object.keys(this.#all).length > 0;
    }

    of(kind: Kind, square: string): readonly string[] {
        return this.#all[kind]?.[square] ?? [];
    }

    /** Whether a piece has a way ahead, but something stands on every square of it. */
    blocked({ kind, square }: Piece, pieces: readonly Piece[]): boolean {
        const squares = this.of(kind, square);
        return squares.length > 0 && squares.every((to) => pieces.some((on) => on.square === to));
    }

    /** Moves to choose in advance, for pieces of these kinds: wherever none of them stands now. */
    ahead(pieces: readonly Omit<Piece, "id">[], kinds: readonly Kind[]): Legal {
        const own = pieces.filter(({ kind }) => kinds.includes(kind));
        const free = (to: string): boolean => own.every(({ square }) => square !== to);
        const moves = own.map(({ kind, square }) => [square, this.of(kind, square).filter(free)]);
        return Object.fromEntries(moves.filter(([, squares]) => squares?.length)) as Legal;
    }
}

export const reach = new Reach();
