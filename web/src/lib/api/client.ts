/** REST: small and typed. A request that changes something carries a key, so that sending it again is harmless. */
import type { Ack, Command, Games, LobbyTable, Opened, Problem, TableRequest } from "./types";

/** The server said no. `status` and `problem.error` say what to do next. */
export class Refusal extends Error {
    constructor(
        readonly status: number,
        readonly problem: Problem,
    ) {
        super(problem.message);
    }
}

/** The server can't be reached. */
export class Unreachable extends Error {}

const TRIES = 4;
const FIRST_PAUSE = 300;

export function newKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function attempt(path: string, init: RequestInit): Promise<Response> {
    for (let tries = 1; ; tries++) {
        try {
            const response = await fetch(path, init);
            const again = response.status === 503 || response.status === 429;
            if (!again || tries >= TRIES) return response;
            await pause(1000 * Number(response.headers.get("Retry-After") ?? 1));
        } catch (error) {
            if (tries >= TRIES) throw new Unreachable(String(error));
            await pause(FIRST_PAUSE * 2 ** tries);
        }
    }
}

export async function request<T>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
): Promise<T> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (token) headers["Authorization"] = `Bearer ${token}`;
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await attempt(path, init);
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return answer as T;
    throw new Refusal(response.status, {
        error: "refused",
        message: response.statusText,
        ...(answer as object),
    });
}

export const api = {
    /** Makes this browser a guest; every command needs the cookie. */
    me: () => request<{ tables: string[] }>("GET", "/api/me"),
    games: async () => (await request<{ games: Games }>("GET", "/api/games")).games,
    lobby: async (status: "open" | "running" | "over" = "open") =>
        (await request<{ tables: LobbyTable[] }>("GET", `/api/tables?status=${status}`)).tables,
    mine: async () => (await request<{ tables: LobbyTable[] }>("GET", "/api/tables/mine")).tables,
    open: (body: Omit<TableRequest, "key">) =>
        request<Opened>("POST", "/api/tables", { key: newKey(), ...body }),
    command: (table: string, command: Command, token?: string) =>
        request<Ack>("POST", `/api/tables/${table}/commands`, { key: newKey(), command }, token),
    record: (table: string, game?: number) =>
        request<Record<string, unknown>>(
            "GET",
            `/api/tables/${table}/record${game === undefined ? "" : `?game=${game}`}`,
        ),
};
