/** Daily puzzles of a player who is signed in: the account and the device learn from each other. */
import { currentUser } from "$lib/account/account.svelte";
import { answerOf, rest, restOnce } from "$lib/api/client";
import type { GameName } from "$lib/games";
import { addDays, load, type Progress } from "./progress";

/** The server takes no more at once. */
const MOST = 500;

/** Returns what the device knows after it: without an account, or a connection, what it knew before. */
export async function syncDays(game: GameName, stored?: string): Promise<Progress> {
    if (!currentUser.account) return load(stored);
    try {
        let { days } = await answerOf(rest.GET("/api/puzzles/days"));
        const missing = Object.entries(load(stored).days).filter(([day]) => !days[game]?.[day]);
        for (let from = 0; from < missing.length; from += MOST) {
            const some = Object.fromEntries(missing.slice(from, from + MOST));
            const body = { days: { [game]: some } };
            ({ days } = await answerOf(restOnce.POST("/api/puzzles/days", { body })));
        }
        return addDays(days[game] ?? {}, stored);
    } catch {
        // The device knows it; the account learns of it next time.
        return load(stored);
    }
}
