/** The names of a replay's players. */
import type { Replay } from "$lib/api/types";
import { playerName } from "$lib/levels";

export type ReplayPlayer = { name: string; kind: "human" | "bot"; level: string | null };

/** Players as a table has them. A program has a name of its own, unlike our bots. */
export function playersOf(replay: Replay): ReplayPlayer[] {
    return replay.seats.map(({ name, kind, bot }) =>
        kind === "bot" && bot != null && bot !== "program"
            ? { name, kind, level: String(bot) }
            : { name, kind: "human", level: null },
    );
}

export function namesOf(replay: Replay): string[] {
    const players = playersOf(replay);
    return players.map((player) => playerName(player, players));
}
