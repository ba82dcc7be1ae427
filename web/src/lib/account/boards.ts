/** What a leaderboard is called: by game, number of players, side and rung. */
import { t } from "$lib/i18n/index.svelte";
import type { Board } from "./account.svelte";

export function boardName(board: Board): string {
    if (board.game === "zoff") return t("leaders.zoff", { players: board.players });
    const name = t(`leaders.buffalo.${board.side ?? "buffalo"}`);
    if (!board.rung) return name;
    return t("leaders.rung", { name, rung: board.rung > 0 ? `+${board.rung}` : `${board.rung}` });
}
