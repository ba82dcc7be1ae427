/** Chat arrives by the socket and by requests; neither may undo what the other brought. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ChatMessage } from "$lib/api/types";
import { Chat } from "./chat.svelte";

const said = (number: number, kind: ChatMessage["kind"] = "phrase"): ChatMessage => ({
    number,
    at: 0,
    player: 1,
    kind,
    text: "hello",
});

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

const state = (open: boolean, ...messages: ChatMessage[]) => ({
    messages,
    open,
    agreed: open ? [0, 1] : [],
    asked: [0, 1],
});

test("what the socket brings while the chat is loaded isn't lost", async () => {
    const chat = new Chat("t");
    const loaded = chat.load();
    chat.receive(said(3));
    asked[0]?.(state(false, said(1), said(2)));
    await loaded;
    expect(chat.messages.map((one) => one.number)).toEqual([1, 2, 3]);
});

test("an answer that comes late doesn't undo a later one", async () => {
    const chat = new Chat("t");
    const first = chat.load();
    const second = chat.load();
    asked[1]?.(state(true));
    await second;
    expect(chat.open).toBe(true);
    asked[0]?.(state(false));
    await first;
    expect(chat.open).toBe(true);
});

test("a message is announced though it was loaded before the socket brought it, and only once", async () => {
    const chat = new Chat("t");
    const loaded = chat.load();
    asked[0]?.(state(false, said(1), said(2)));
    await loaded;
    expect(chat.latest).toBeNull();
    chat.receive(said(2));
    expect(chat.latest?.number).toBe(2);
    chat.markRead();
    chat.receive(said(2));
    expect(chat.latest).toBeNull();
    expect(chat.messages.map((one) => one.number)).toEqual([1, 2]);
});

test("messages sent while the connection was lost are announced afterwards", async () => {
    const chat = new Chat("t");
    for (const messages of [[said(1)], [said(1), said(2), said(3)]]) {
        const loaded = chat.load();
        asked.pop()?.(state(false, ...messages));
        await loaded;
    }
    expect(chat.latest?.number).toBe(3);
    expect(chat.unread).toBe(2);
});

test("an agreement counts though a later message has overtaken it", () => {
    const chat = new Chat("t");
    chat.receive(said(3, "agree"));
    chat.receive(said(2, "agree"));
    expect(asked).toHaveLength(2);
    expect(chat.messages.map((one) => one.number)).toEqual([2, 3]);
    chat.receive(said(2, "agree"));
    expect(asked).toHaveLength(2);
});
