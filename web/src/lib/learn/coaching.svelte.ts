/** Whether the coach is at a table: in the first game of each kind against bots, or when it is called back. */
import type { TableView } from "$lib/api/types";

const stored = (game: string): string => `stampede.coach.${game}`;
const DONE = "done";
/** Keeps the coach away from a device altogether. */
const OFF = "stampede.coach";

/** A coach is for a person alone against bots. */
export function canCoach(view: TableView, mine: readonly number[]): boolean {
    return (
        mine.length === 1 &&
        !view.settings.rated &&
        view.players.every(({ kind, player }) => kind === "bot" || mine.includes(player))
    );
}

/** Whether the next game of a kind is the first on this device, to which the coach comes. */
export function isFirstGame(game: string): boolean {
    return localStorage.getItem(OFF) === null && localStorage.getItem(stored(game)) === null;
}

class Coaching {
    /** The table where the coach is. */
    table = $state<string | null>(null);

    /** Comes to the first game that this device plays. */
    offer(view: TableView, mine: readonly number[]): void {
        if (view.phase !== "playing" || !canCoach(view, mine)) return;
        if (localStorage.getItem(OFF) !== null) return;
        const known = localStorage.getItem(stored(view.game));
        if (known !== null && known !== view.table) return;
        localStorage.setItem(stored(view.game), view.table);
        this.table = view.table;
    }

    /** Comes to the next game of a kind as if it were the first, and to a device that it was kept away from. */
    expect(game: string): void {
        localStorage.removeItem(OFF);
        localStorage.removeItem(stored(game));
    }

    call(view: TableView): void {
        localStorage.setItem(stored(view.game), view.table);
        this.table = view.table;
    }

    dismiss(view: TableView): void {
        localStorage.setItem(stored(view.game), DONE);
        this.table = null;
    }
}

export const coaching = new Coaching();
