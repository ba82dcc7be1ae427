/** A move chosen while the other side thinks: sent when it becomes legal, dropped with a word when it doesn't. */
import type { Legal } from "../board/board";

export class Premove {
    move = $state<string | null>(null);
    /** The last one that had to be dropped. */
    dropped = $state<string | null>(null);

    plan(move: string | null): void {
        this.move = move;
        this.dropped = null;
    }

    /** It is this side's turn: the planned move, if these moves have it. */
    take(legal: Legal): string | null {
        const move = this.move;
        this.move = null;
        if (move === null) return null;
        if (legal[move.slice(0, 2)]?.includes(move.slice(2, 4))) return move;
        this.dropped = move;
        return null;
    }
}
