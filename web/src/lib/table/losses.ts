/** Games lost in a row against bots, by game, on this device: after three a player is offered an easier one. */
import type { GameInfo, TableView } from "$lib/api/types";

const STORED = "stampede.losses";
/** So many losses in a row are enough. */
export const ENOUGH = 3;

type Streak = { count: number; latest: string };

function stored(): Record<string, Streak> {
    try {
        return JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, Streak>;
    } catch {
        return {};
    }
}

/** Counts the game that has just ended, once; returns how many this player has lost in a row. */
export function countLosses(view: TableView, me: number): number {
    const result = view.results.at(-1);
    const all = stored();
    const before = all[view.game] ?? { count: 0, latest: "" };
    if (!result || result.aborted) return before.count;
    const latest = `${view.table}/${result.game}`;
    if (before.latest === latest) return before.count;
    const count = result.winners.includes(me) ? 0 : before.count + 1;
    localStorage.setItem(STORED, JSON.stringify({ ...all, [view.game]: { count, latest } }));
    return count;
}

/** The level below the weakest bot at the table; null when there is none. */
export function gentlerLevel(view: TableView, info: GameInfo | undefined): string | null {
    const levels = info?.bots ?? [];
    const known = view.players
        .map(({ level }) => levels.indexOf(level ?? ""))
        .filter((at) => at >= 0);
    return known.length > 0 ? (levels[Math.min(...known) - 1] ?? null) : null;
}
