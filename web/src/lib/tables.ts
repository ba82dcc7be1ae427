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
    clock?: Clock;
    series?: string | undefined;
    public?: boolean;
    hotSeat?: boolean;
    rated?: boolean;
};

/** Opens a table and takes a chair at it. Its invitation is kept for the host's share panel. */
export async function openTable(
    options: TableOptions,
    { player, name }: { player: number; name: string },
): Promise<string> {
    await api.me();
    const body = {
        game: options.game,
        rules: options.rules ?? {},
        chairs: options.chairs.map((bot) => (bot === null ? {} : { bot })),
        public: options.public ?? false,
        hot_seat: options.hotSeat ?? false,
        rated: options.rated ?? false,
        ...(options.series ? { series: options.series } : {}),
        ...(options.clock ? { clock: options.clock } : {}),
    } as Omit<TableRequest, "key">;
    const { table, invite } = await api.open(body);
    keepInvite(table, invite);
    await api.command(table, { type: "claim", player, name, program: false, salt: "" });
    return table;
}

const inviteKey = (table: string) => `stampede.invite.${table}`;

export function keepInvite(table: string, invite: string): void {
    localStorage.setItem(inviteKey(table), invite);
}

export function keptInvite(table: string): string | null {
    return localStorage.getItem(inviteKey(table));
}
