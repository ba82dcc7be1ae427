/** The last move of the other side, with all that "why?" needs to know of it. */
import type { TableView } from "$lib/api/types";
import { playerName } from "$lib/levels";
import type { BotMove } from "../analysis/why";
import { positionAfter, type Ply } from "../board/plies";
import type { BuffaloEvent } from "../view";

/** Null before the other side has moved. `fen` is the position after all of the moves, `latest` what was told last. */
export function lastBotMove(
    view: TableView,
    fen: string,
    moves: readonly Ply[],
    latest: readonly BuffaloEvent[],
    self: number | null,
): BotMove | null {
    const at = moves.findLastIndex(({ seat }) => seat !== self);
    const ply = moves[at];
    if (!ply) return null;
    const moved = latest.findLastIndex(
        (event) => event.kind === "moved" && event.move === ply.move,
    );
    const rest = moved < 0 ? [] : latest.slice(moved);
    const next = rest.findIndex((event, index) => index > 0 && event.kind === "moved");
    const bot = view.players.find((one) => one.seat === ply.seat);
    return {
        table: view.table,
        game: view.number,
        bot: bot ? playerName(bot, view.players) : "",
        ply,
        number: at + 1,
        fen: positionAfter(fen, moves, at + 1),
        events: next < 0 ? rest : rest.slice(0, next),
    };
}
