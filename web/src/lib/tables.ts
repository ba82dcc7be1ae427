/** Opening tables with sensible defaults, and remembering this device's name and seats. */
import { api } from "./api/client";
import type { Clock, TableRequest } from "./api/types";

const NAME = "stampede.name";

export function rememberedName(): string {
    return localStorage.getItem(NAME) ?? "";
}

export function rememberName(name: string): void {
    localStorage.setItem(NAME, name);
}

export type Wish = {
    game: "zoff" | "buffalo";
    rules: Record<string, unknown>;
    /** One entry a chair: a bot's level, or null for a person. */
    chairs: (string | null)[];
    clock?: Clock;
    series?: string;
    public?: boolean;
    hotSeat?: boolean;
    rated?: boolean;
};

/** Opens a table; the answer's invitation is kept for the host's share panel. */
export async function openTable(wish: Wish): Promise<string> {
    await api.me();
    const body = {
        game: wish.game,
        rules: wish.rules,
        chairs: wish.chairs.map((bot) => (bot === null ? {} : { bot })),
        series: wish.series ?? "rematch",
        public: wish.public ?? false,
        hot_seat: wish.hotSeat ?? false,
        rated: wish.rated ?? false,
        ...(wish.clock ? { clock: wish.clock } : {}),
    } as Omit<TableRequest, "key">;
    const opened = await api.open(body);
    keepInvite(opened.table, opened.invite);
    return opened.table;
}

const inviteKey = (table: string) => `stampede.invite.${table}`;

export function keepInvite(table: string, invite: string): void {
    localStorage.setItem(inviteKey(table), invite);
}

export function keptInvite(table: string): string | null {
    return localStorage.getItem(inviteKey(table));
}
