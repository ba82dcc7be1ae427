/** Games lost in a row against bots, by game, on this device: after three a player is offered an easier one. */
import type { GameInfo, TableView } from "$lib/api/types";
import { gameClient, isGame } from "$lib/games";
import { levelsOf } from "$lib/levels";

const STORED = "stampede.losses";
/** So many losses in a row are enough. */
export const ENOUGH = 3;
/** The opponents of an easier game, where there can be fewer. */
const FEW = 2;

type Streak = { count: number; latest: string };

function stored(): Record<string, Streak> {
    try {
        return JSON.parse(localStorage.getItem(STORED) ?? "{}") as Record<string, Streak>;
    } catch {
        return {};
    }
}

/**
 * Whether more players came in ahead of this one than behind. Among equals that happens in at most every second game,
 * with two players as with six, so three in a row are rare for a player who is as good as the others.
 */
export function hasLost(view: TableView, me: number, winners: readonly number[]): boolean {
    if (winners.includes(me)) return false;
    const scores = isGame(view.game) ? gameClient(view.game).scores(view) : null;
    const own = scores?.[view.players[me]?.seat ?? me];
    if (!scores || own === undefined) return true;
    const ahead = scores.filter((score) => score > own).length;
    const behind = scores.filter((score) => score < own).length;
    return ahead > behind;
}

/** Counts the game that has just ended, once; returns how many this player has lost in a row. */
export function countLosses(view: TableView, me: number): number {
    const result = view.results.at(-1);
    const all = stored();
    const before = all[view.game] ?? { count: 0, latest: "" };
    if (!result || result.aborted) return before.count;
    const latest = `${view.table}/${result.game}`;
    if (before.latest === latest) return before.count;
    const count = hasLost(view, me, result.winners) ? before.count + 1 : 0;
    localStorage.setItem(STORED, JSON.stringify({ ...all, [view.game]: { count, latest } }));
    return count;
}

/** The level below the weakest bot at the table; null when there is none. */
export function gentlerLevel(view: TableView, info: GameInfo | undefined): string | null {
    const levels = levelsOf(info);
    const known = view.players
        .map(({ level }) => levels.indexOf(level ?? ""))
        .filter((at) => at >= 0);
    return known.length > 0 ? (levels[Math.min(...known) - 1] ?? null) : null;
}

/** How many opponents are fewer than at the table: two, or one instead of two; null when the game needs them all. */
export function fewerOpponents(view: TableView, info: GameInfo | undefined): number | null {
    const now = view.players.length - 1;
    const fewer = Math.min(FEW, now - 1);
    return info?.players.includes(fewer + 1) ? fewer : null;
}
