/** Opening tables with sensible defaults, and what this device remembers about them. */
import { api } from "./api/client";
import type { Clock, TableRequest } from "./api/types";
import type { GameName } from "./games";

const NAME = "stampede.name";

export function rememberedName(): string {
    return localStorage.getItem(NAME) ?? "";
}

export function rememberName(name: string): void {
    localStorage.setItem(NAME, name);
}

export type TableOptions = {
    game: GameName;
    rules?: NonNullable<TableRequest["rules"]>;
    /** One entry a chair: a bot's level, or null for a person. */
    chairs: (string | null)[];
    /** The colour that the opener asks for. */
    colour?: string;
    clock?: Clock;
    series?: string | undefined;
    public?: boolean;
    rated?: boolean;
};

/** Someone who plays on this device; with an empty name, the server gives them one. */
export type LocalPlayer = { player: number; name: string };

/** Opens a table and takes this device's chairs at it. Its invitation is kept for the host's share panel. */
export async function openTable(
    options: TableOptions,
    ...players: [LocalPlayer, ...LocalPlayer[]]
): Promise<string> {
    await api.me();
    const body = {
        game: options.game,
        rules: options.rules ?? {},
        chairs: options.chairs.map((bot, index) => ({
            ...(bot === null ? {} : { bot }),
            ...(options.colour && index === players[0].player ? { colour: options.colour } : {}),
        })),
        public: options.public ?? false,
        hot_seat: players.length > 1,
        ready_check: true,
        rated: options.rated ?? false,
        ...(options.series ? { series: options.series } : {}),
        ...(options.clock ? { clock: options.clock } : {}),
    } as Omit<TableRequest, "key">;
    const { table, invite } = await api.open(body);
    keepInvite(table, invite);
    for (const { player, name } of players)
        await api.command(table, { type: "claim", player, name, program: false, salt: "" });
    return table;
}

/** Proposes another game at a table that is over, for all of this device's chairs. */
export async function proposeNext(table: string): Promise<void> {
    const { players, view } = await api.look(table);
    // Where a player has to choose something first, the table's page asks for it.
    if (view.phase !== "over" || view.series.chooser !== null) return;
    for (const player of players) {
        await api.command(table, {
            type: "vote",
            player,
            on: "next",
            agree: true,
            decision: "",
            choice: [],
        });
    }
}

const inviteKey = (table: string) => `stampede.invite.${table}`;

export function keepInvite(table: string, invite: string): void {
    localStorage.setItem(inviteKey(table), invite);
}

export function keptInvite(table: string): string | null {
    return localStorage.getItem(inviteKey(table));
}
