/** A review that has to wait says for what, and goes on by itself. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Review } from "./review.svelte";

const SOURCE = { table: "Abcdefghij0123456789XY", game: 1 };
const START = { type: "start", game: "buffalo", seats: 2, parts: 1, budget: {} };
const PART = { type: "part", decisions: [], points: [] };
const DONE = { type: "done", losses: [1, 0], turning_points: [], retry: [[], []] };

/** What the server answers, one request after the other. */
let answers: (() => Promise<Response>)[] = [];
let asked = 0;

const lines = (...told: object[]) => {
    const text = told.map((line) => `${JSON.stringify(line)}\n`).join("");
    return () => Promise.resolve(new Response(text));
};
const refusal = (status: number, error: string, after = 5) => {
    const body = JSON.stringify({ error, message: "no", clause: null });
    const headers = { "Retry-After": String(after) };
    return () => Promise.resolve(new Response(body, { status, headers }));
};
const broken = () => Promise.reject(new TypeError("no network"));

beforeEach(() => {
    vi.useFakeTimers();
    asked = 0;
    // Pages of other tests share this window, and may still ask for other things.
    vi.stubGlobal("fetch", (address: string) =>
        address === "/api/reviews"
            ? answers[Math.min(asked++, answers.length - 1)]!()
            : Promise.resolve(new Response("{}", { status: 404 })),
    );
});
afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
});

/** Starts a review and lets all come that doesn't need time. */
async function begun(...all: typeof answers): Promise<Review> {
    answers = all;
    const review = new Review();
    void review.start(SOURCE);
    await vi.advanceTimersByTimeAsync(0);
    return review;
}

test("the place in the queue is known, and gone when the review begins", async () => {
    const places: [number, boolean][] = [];
    const review = await begun(() => {
        const stream = new TransformStream<Uint8Array, Uint8Array>();
        const writer = stream.writable.getWriter();
        const told = [
            { type: "queue", ahead: 2, own: true },
            { type: "queue", ahead: 1, own: false },
        ];
        void (async () => {
            for (const line of [...told, START, PART, DONE]) {
                await writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
                await vi.advanceTimersByTimeAsync(1);
                places.push([review.ahead, review.own]);
            }
            await writer.close();
        })();
        return Promise.resolve(new Response(stream.readable));
    });
    await vi.waitFor(() => expect(review.complete).toBe(true));
    expect(places.slice(0, 3)).toEqual([
        [2, true],
        [1, false],
        [0, false],
    ]);
});

test.each(["too_many_reviews", "address_busy", "too_fast", "busy"])(
    "a review that is refused (%s) comes again when the server said",
    async (code) => {
        const review = await begun(refusal(429, code, 7), lines(START, PART, DONE));
        expect([review.waiting, review.problem]).toEqual([code, ""]);
        await vi.advanceTimersByTimeAsync(6_900);
        expect(asked).toBe(1);
        await vi.advanceTimersByTimeAsync(200);
        expect([asked, review.complete, review.waiting]).toEqual([2, true, ""]);
    },
);

test("a queue that fills in between is waited for, too", async () => {
    const full = { type: "problem", code: "busy", message: "full" };
    const review = await begun(lines(full), lines(START, PART, DONE));
    expect([review.waiting, review.problem]).toEqual(["busy", ""]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([review.complete, review.done]).toEqual([true, 1]);
});

test("a connection that breaks is tried again a few times; parts count once", async () => {
    const review = await begun(lines(START, PART), broken, lines(START, PART, DONE));
    expect(review.waiting).toBe("away");
    await vi.advanceTimersByTimeAsync(60_000);
    expect([review.complete, review.done, asked]).toEqual([true, 1, 3]);
    const lost = await begun(broken);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([lost.problem, lost.waiting]).toEqual(["away", ""]);
    answers = [lines(START, PART, DONE)];
    await lost.start(SOURCE);
    expect([lost.problem, lost.complete]).toEqual(["", true]);
});

test("what can't pass isn't asked again, nor is anything after the page is left", async () => {
    const refused = await begun(refusal(403, "no_hints"));
    await vi.advanceTimersByTimeAsync(600_000);
    expect([refused.problem, refused.message, asked]).toEqual(["no_hints", "no", 1]);
    asked = 0;
    const left = await begun(refusal(503, "busy"));
    left.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toBe(1);
});
