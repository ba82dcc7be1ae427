/** Requests are retried while that can help, with the same body and idempotency key. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answerOf, api, Refusal, rest, restOnce, Unreachable } from "./client";

type Reply = Response | Error;

/** What the network does with each attempt, and the bodies that were sent. */
let replies: Reply[] = [];
let bodies: string[] = [];

beforeEach(() => {
    vi.useFakeTimers();
    bodies = [];
    vi.stubGlobal("fetch", async (request: Request) => {
        bodies.push(await request.text());
        const reply = replies[bodies.length - 1] ?? new Error("no network");
        if (reply instanceof Error) throw reply;
        return reply;
    });
});
afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
});

const json = (body: object, status = 200, headers = {}) =>
    new Response(JSON.stringify(body), { status, headers });
const busy = () => json({ error: "busy", message: "busy" }, 503, { "Retry-After": "2" });

/** The outcome of a call, however many pauses it makes. */
async function settled(call: Promise<unknown>): Promise<unknown> {
    const outcome = call.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(60_000);
    return outcome;
}

test("a lost request is sent again with the same body and key", async () => {
    replies = [new Error("reset"), busy(), json({ key: "k", seq: 5 })];
    expect(await settled(api.command("t", { type: "invite" }))).toMatchObject({ seq: 5 });
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({
        key: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
});

test("a busy server is asked again when it says so, not before", async () => {
    replies = [busy(), json({ tables: [] })];
    void api.mine(5);
    await vi.advanceTimersByTimeAsync(1900);
    expect(bodies).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(bodies).toHaveLength(2);
});

test("a server that can't be reached is given up after four attempts", async () => {
    replies = [];
    expect(await settled(api.games())).toBeInstanceOf(Unreachable);
    expect(bodies).toHaveLength(4);
});

test("a refusal carries the status and the server's problem, and isn't retried", async () => {
    replies = [json({ error: "illegal", message: "no", clause: "Z4.4" }, 422)];
    const error = await settled(api.command("t", { type: "invite" }));
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ status: 422, problem: { error: "illegal", clause: "Z4.4" } });
    expect(bodies).toHaveLength(1);
});

test("an answer that isn't JSON is a refusal all the same", async () => {
    replies = [new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" })];
    const error = await settled(answerOf(rest.GET("/api/me")));
    expect(error).toMatchObject({
        status: 502,
        problem: { error: "refused", message: "Bad Gateway" },
    });
});

test("callers with a schedule of their own get one attempt", async () => {
    replies = [busy()];
    expect(await settled(answerOf(restOnce.GET("/api/me")))).toMatchObject({ status: 503 });
    replies = [];
    expect(await settled(answerOf(restOnce.GET("/api/me")))).toBeInstanceOf(Unreachable);
    expect(bodies).toHaveLength(2);
});
