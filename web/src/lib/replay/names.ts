/** What the seats of a record are called. */
import { playerName } from "$lib/levels";
import type { Replay } from "./load";

export type Named = { name: string; kind: "human" | "bot"; level: string | null };

/** Players as the tellers want them. A program has a name of its own, unlike our bots. */
export function named(replay: Replay): Named[] {
    return replay.seats.map(({ name, kind, bot }) =>
        kind === "bot" && bot != null && bot !== "program"
            ? { name, kind, level: String(bot) }
            : { name, kind: "human", level: null },
    );
}

export function namesOf(replay: Replay): string[] {
    const players = named(replay);
    return players.map((player) => playerName(player, players));
}
