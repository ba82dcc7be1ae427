/**
 * Who "you" are at a table: the one player of this device.
 *
 * Where a device plays several seats, or none, every sentence has names.
 */
import type { TableView } from "$lib/api/types";

export function ownPlayer(mine: readonly number[]): number | null {
    return mine.length === 1 ? (mine[0] ?? null) : null;
}

export function ownSeat(
    { players }: Pick<TableView, "players">,
    mine: readonly number[],
): number | null {
    const own = ownPlayer(mine);
    return players.find(({ player }) => player === own)?.seat ?? null;
}

/** What picks a sentence's form: the second person (`…_you`) for the reader, the name for everybody else. */
export const person = (own: boolean, name: string): { context?: "you"; name?: string } =>
    own ? { context: "you" } : { name };
