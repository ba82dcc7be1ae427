/** Opening tables with sensible defaults, and what this device remembers about them. */
import { api, newIdempotencyKey, Refusal } from "./api/client";
import type { Clock, TableAnswer, TableRequest } from "./api/types";
import { gameClient, type GameName } from "./games";

type NewTable = Omit<TableRequest, "key">;

const NAME = "stampede.name";

export function rememberedName(): string {
    return localStorage.getItem(NAME) ?? "";
}

export function rememberName(name: string): void {
    localStorage.setItem(NAME, name);
}

/** A point of a record at which a table's games begin. */
export type TableStart = NonNullable<TableRequest["start"]>;

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
    /** For a newcomer's first game: bots play so that the rules come up. */
    coached?: boolean;
    /** What all bots want; without it each has a temperament of its own. */
    temperament?: string;
    start?: TableStart;
};

/** Someone who plays on this device; with an empty name, the server gives them one. */
export type LocalPlayer = { player: number; name: string };

/** Does something when the page has nothing else to do, unless the reader asked to save data. */
export function whenIdle(work: () => void): void {
    const { connection } = navigator as { connection?: { saveData?: boolean } };
    if (connection?.saveData) return;
    const wait = "requestIdleCallback" in window ? requestIdleCallback : setTimeout;
    if (document.readyState === "complete") wait(work);
    else window.addEventListener("load", () => wait(work), { once: true });
}

/** Fetches the code of a table's page and of a game's table, so that it is there when the table is. */
export function preloadTable(game: GameName): void {
    const parts = [import("../pages/Table.svelte"), gameClient(game).loadTable()];
    // Whoever needs them says what went wrong.
    for (const part of parts) void part.catch(() => undefined);
}

/** Tables that were opened here a moment ago, and where they stood: their pages need not ask. */
const stood = new Map<string, TableAnswer>();

/** Where a table stood when it was opened on this page, once; null for any other. */
export function takeStanding(table: string): TableAnswer | null {
    const found = stood.get(table) ?? null;
    stood.delete(table);
    return found;
}

/**
 * Opens a table and takes this device's chairs at it, in one request. Its invitation is kept for the host's share
 * panel.
 */
export async function openTable(
    options: TableOptions,
    ...players: [LocalPlayer, ...LocalPlayer[]]
): Promise<string> {
    preloadTable(options.game);
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
        ...(options.start ? { start: options.start } : {}),
        ...(options.coached ? { coached: true } : {}),
        ...(options.clock ? { clock: options.clock } : {}),
        ...(options.temperament ? { temperament: options.temperament } : {}),
        sit: [...players],
    } as NewTable;
    const { table, invite, stands } = await openAsGuest(body);
    keepInvite(table, invite);
    if (stands) stood.set(table, stands);
    return table;
}

/** Opens a table; a browser that has lost its cookie since the page began gets another one first. */
async function openAsGuest(body: NewTable): ReturnType<typeof api.open> {
    const key = newIdempotencyKey();
    await api.guest();
    try {
        return await api.open(body, key);
    } catch (error) {
        if (!(error instanceof Refusal) || error.problem.error !== "unknown_guest") throw error;
        await api.me();
        return api.open(body, key);
    }
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
