/** Talk arrives by two ways, a socket and requests, and neither may undo what the other one brought. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Talk, type Said } from "./talk.svelte";

const said = (number: number, kind = "phrase") =>
    ({ number, player: 1, kind, text: "hello" }) as unknown as Said;

/** The requests that wait for an answer, in their order. */
let asked: ((body: object) => void)[] = [];

beforeEach(() => {
    asked = [];
    vi.stubGlobal(
        "fetch",
        () =>
            new Promise((done) =>
                asked.push((body) => done(new Response(JSON.stringify(body), { status: 200 }))),
            ),
    );
});
afterEach(() => void vi.unstubAllGlobals());

const standing = (open: boolean, ...messages: Said[]) => ({
    messages,
    open,
    agreed: open ? [0, 1] : [],
    asked: [0, 1],
});

test("what the socket brings while the talk is loaded isn't lost", async () => {
    const talk = new Talk("t");
    const loaded = talk.load();
    talk.take(said(3));
    asked[0]?.(standing(false, said(1), said(2)));
    await loaded;
    expect(talk.messages.map((one) => one.number)).toEqual([1, 2, 3]);
});

test("an answer that comes late doesn't undo a later one", async () => {
    const talk = new Talk("t");
    const first = talk.load();
    const second = talk.load();
    asked[1]?.(standing(true));
    await second;
    expect(talk.open).toBe(true);
    asked[0]?.(standing(false));
    await first;
    expect(talk.open).toBe(true);
});

test("a word is news though it was loaded before the socket brought it, and only once", async () => {
    const talk = new Talk("t");
    const loaded = talk.load();
    asked[0]?.(standing(false, said(1), said(2)));
    await loaded;
    expect(talk.news).toBeNull();
    talk.take(said(2));
    expect(talk.news?.number).toBe(2);
    talk.read();
    talk.take(said(2));
    expect(talk.news).toBeNull();
    expect(talk.messages.map((one) => one.number)).toEqual([1, 2]);
});

test("what was said while the line was away is news when it is back", async () => {
    const talk = new Talk("t");
    for (const messages of [[said(1)], [said(1), said(2), said(3)]]) {
        const loaded = talk.load();
        asked.pop()?.(standing(false, ...messages));
        await loaded;
    }
    expect(talk.news?.number).toBe(3);
    expect(talk.unread).toBe(2);
});

test("an agreement counts though a later word has overtaken it", () => {
    const talk = new Talk("t");
    talk.take(said(3, "agree"));
    talk.take(said(2, "agree"));
    expect(asked).toHaveLength(2);
    expect(talk.messages.map((one) => one.number)).toEqual([2, 3]);
    talk.take(said(2, "agree"));
    expect(asked).toHaveLength(2);
});
