/** Signing in merges the daily puzzles of a device and of an account. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { currentUser } from "$lib/account/account.svelte";
import { load, noteDay } from "./progress";
import { syncDays } from "./sync";

const STORED = "stampede.puzzles.zoff";
let kept: Record<string, Record<string, string>> = {};
let sent: unknown[] = [];

beforeEach(() => {
    localStorage.clear();
    sent = [];
    kept = { zoff: { "2026-11-14": "solved", "2026-11-15": "helped" }, buffalo: {} };
    vi.stubGlobal("fetch", async (request: Request) => {
        if (request.method === "POST") {
            const { days } = (await request.json()) as { days: typeof kept };
            sent.push(days);
            for (const [game, results] of Object.entries(days))
                kept[game] = { ...results, ...kept[game] };
        }
        return new Response(JSON.stringify({ days: kept }));
    });
    noteDay("2026-11-15", "solved", STORED);
    noteDay("2026-11-16", "solved", STORED);
});

afterEach(() => {
    currentUser.account = null;
    vi.unstubAllGlobals();
});

it("sends what the account doesn't know, and learns what it does", async () => {
    currentUser.account = { name: "Etta" } as NonNullable<typeof currentUser.account>;
    const days = { "2026-11-14": "solved", "2026-11-15": "helped", "2026-11-16": "solved" };
    expect((await syncDays("zoff", STORED)).days).toEqual(days);
    expect(sent).toEqual([{ zoff: { "2026-11-16": "solved" } }]);
    expect(kept["zoff"]).toEqual(days);
    await syncDays("zoff", STORED);
    expect(sent).toHaveLength(1);
    expect(load().days).toEqual({});
});

it("asks nothing without an account, and keeps the days without a connection", async () => {
    const mine = load(STORED);
    expect(await syncDays("zoff", STORED)).toEqual(mine);
    expect(sent).toEqual([]);
    currentUser.account = { name: "Etta" } as NonNullable<typeof currentUser.account>;
    vi.stubGlobal("fetch", async () => new Response("{}", { status: 500 }));
    expect(await syncDays("zoff", STORED)).toEqual(mine);
});
