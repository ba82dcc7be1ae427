/**
 * The REST client: openapi-fetch, typed by the server's OpenAPI (`schema.d.ts`), with retries.
 *
 * A request that changes a table carries an idempotency key, so that sending it again is harmless.
 */
import createClient from "openapi-fetch";
import type { paths } from "./schema";
import type { Command, Message, Problem, TableRequest } from "./types";

/** The server refuses a request. `status` and `problem.error` say what to do next. */
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

const ATTEMPTS = 4;
const FIRST_BACKOFF = 300;
/** The server is overloaded, or this client is too fast: both pass. */
const TRANSIENT = [429, 503];

export function newIdempotencyKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function fetchOnce(request: Request): Promise<Response> {
    try {
        return await fetch(request);
    } catch (error) {
        throw new Unreachable(String(error));
    }
}

/** Retries with exponential backoff while the network fails, and as the server says while it is busy. */
async function fetchWithRetries(request: Request): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
        try {
            // A body can be sent only once, hence the copy.
            const response = await fetchOnce(request.clone());
            if (!TRANSIENT.includes(response.status) || attempt >= ATTEMPTS) return response;
            await sleep(1000 * Number(response.headers.get("Retry-After") ?? 1));
        } catch (error) {
            if (attempt >= ATTEMPTS) throw error;
            await sleep(FIRST_BACKOFF * 2 ** attempt);
        }
    }
}

/** Every request of the client, typed by path and method; wrap a call in `answerOf`. */
export const rest = createClient<paths>({ baseUrl: location.origin, fetch: fetchWithRetries });

/** The same without retries, for callers that have a schedule of their own. */
export const restOnce = createClient<paths>({ baseUrl: location.origin, fetch: fetchOnce });

type Outcome<T> = { data?: T; error?: unknown; response: Response };

/** The body of a successful answer; throws a `Refusal` for any other. */
export async function answerOf<T>(call: Promise<Outcome<T>>): Promise<T> {
    const { data, error, response } = await call;
    if (response.ok) return data as T;
    throw new Refusal(response.status, {
        error: "refused",
        message: response.statusText,
        ...(typeof error === "object" ? error : {}),
    });
}

let guest: Promise<unknown> | null = null;

/** The requests that several pages make. */
export const api = {
    /** Makes this browser a guest, once for as long as the page lives. */
    guest: (): Promise<unknown> => {
        guest ??= api.me().catch((error: unknown) => {
            guest = null;
            throw error;
        });
        return guest;
    },
    /** Makes this browser a guest; every command needs the cookie. */
    me: () => answerOf(rest.GET("/api/me")),
    games: async () => (await answerOf(rest.GET("/api/games"))).games,
    lobby: async (status: "open" | "running" | "over") =>
        (await answerOf(rest.GET("/api/tables", { params: { query: { status } } }))).tables,
    /** Own tables, a page at a time. */
    mine: (limit: number, before?: number) =>
        answerOf(
            rest.GET("/api/tables/mine", {
                params: { query: before === undefined ? { limit } : { limit, before } },
            }),
        ),
    /** Removes a table from the own list. */
    removeMine: (table: string) =>
        answerOf(
            rest.DELETE("/api/tables/mine/{table_id}", { params: { path: { table_id: table } } }),
        ),
    look: (table: string) =>
        answerOf(rest.GET("/api/tables/{table_id}", { params: { path: { table_id: table } } })),
    open: (body: Omit<TableRequest, "key">, key = newIdempotencyKey()) =>
        answerOf(rest.POST("/api/tables", { body: { key, ...body } })),
    command: (table: string, command: Command, key = newIdempotencyKey()) =>
        answerOf(
            rest.POST("/api/tables/{table_id}/commands", {
                params: { path: { table_id: table } },
                body: { key, command },
            }),
        ),
    /** All that has happened at a table, as one of its chairs may see it. */
    events: async (table: string, player: number | null): Promise<Message[]> => {
        const path = { table_id: table };
        const all: Message[] = [];
        for (let more = true; more;) {
            const after = all.at(-1)?.seq ?? 0;
            const query = player === null ? { after } : { after, player };
            const page = await answerOf(
                restOnce.GET("/api/tables/{table_id}/events", { params: { path, query } }),
            );
            all.push(...page.messages);
            more = page.more && page.messages.length > 0;
        }
        return all;
    },
};
