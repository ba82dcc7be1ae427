/** A live table resumes where it was, loses no command and sends none twice. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Refusal, Unreachable } from "./client";
import { FakeSocket } from "./fakeSocket";
import { LiveTable, type LiveOptions } from "./liveTable.svelte";
import type { Message } from "./types";

const TABLE = "Abcdefghij0123456789XY";
let live: LiveTable;

function sit(options: LiveOptions = {}): FakeSocket {
    live = new LiveTable(TABLE, options);
    live.open();
    return FakeSocket.latest;
}

/** The next attempt to connect, after the pause before it. */
function reconnected(): FakeSocket {
    const before = FakeSocket.all.length;
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.all.length).toBeGreaterThan(before);
    return FakeSocket.latest;
}

beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", FakeSocket);
    FakeSocket.all = [];
});

afterEach(() => {
    live.close();
    vi.unstubAllGlobals();
    vi.useRealTimers();
});

describe("a live table", () => {
    it("shows what the server says, and whose turn it is", () => {
        const socket = sit({ token: "secret" });
        expect(socket.offers).toEqual(["stampede", "token.secret"]);
        expect(live.connection).toBe("connecting");
        socket.welcome(4);
        expect(live.connection).toBe("open");
        expect(live.view?.seq).toBe(4);
        expect(live.myTurn).toBe(true);
    });

    it("asks for everything first, and after a break for what came since", () => {
        const batches: Message[][] = [];
        const socket = sit({ onMessages: (messages) => batches.push(messages) });
        expect(socket.since).toBeNull();
        socket.welcome(4, [{ seq: 4 }]);
        socket.say({ type: "update", seq: 5, messages: [{ seq: 5 }], view: { seq: 5 } });
        socket.drop();
        expect(live.connection).toBe("lost");
        const next = reconnected();
        expect(next.since).toBe("5");
        next.welcome(7, [{ seq: 6 }, { seq: 7 }]);
        expect(live.connection).toBe("open");
        // What happened before the page was opened isn't reported; what was missed is.
        expect(batches).toEqual([[], [{ seq: 5 }], [{ seq: 6 }, { seq: 7 }]]);
    });

    it("keeps what an update doesn't change", () => {
        const socket = sit();
        const view = { seq: 4, you: 0, results: [], view: { fen: "a", legal: { moves: {} } } };
        socket.say({ type: "welcome", seq: 4, messages: [], players: [0], player: 0, view });
        const game = live.view?.view;
        socket.say({
            type: "update",
            seq: 5,
            messages: [{ seq: 5 }],
            changes: { seq: 5, view: { fen: "b" } },
        });
        expect(live.view).toEqual({ ...view, seq: 5, view: { fen: "b", legal: { moves: {} } } });
        expect(live.view?.view).not.toBe(game);
        socket.say({ type: "update", seq: 6, messages: [], changes: { seq: 6 } });
        expect(live.view?.view).toEqual({ fen: "b", legal: { moves: {} } });
    });

    it("applies changes to the last update, not to what a refusal showed", async () => {
        const socket = sit();
        socket.welcome(4);
        const answer = live.act(0, "a7a6");
        const key = String(socket.commands[0]?.["key"]);
        const view = { seq: 4, you: 1, decision: null };
        socket.say({ type: "error", key, status: 409, error: "stale", message: "", view });
        await expect(answer).rejects.toBeInstanceOf(Refusal);
        expect(live.view?.you).toBe(1);
        socket.say({ type: "update", seq: 5, messages: [], changes: { seq: 5 } });
        expect(live.view?.you).not.toBe(1);
        expect(live.view?.decision?.id).toBe("d4");
    });

    it("sends a command again with its key when the connection broke before the answer", async () => {
        const socket = sit();
        socket.welcome(4);
        const answer = live.act(0, "a7a6");
        expect(live.pending).toBe(1);
        const [sent] = socket.commands;
        expect(sent?.["command"]).toEqual({
            type: "act",
            player: 0,
            decision: "d4",
            action: "a7a6",
        });
        socket.drop();
        const next = reconnected();
        expect(next.commands).toEqual([]);
        next.welcome(4);
        expect(next.commands).toEqual([sent]);
        next.say({ type: "ack", key: sent?.["key"], seq: 5 });
        await expect(answer).resolves.toMatchObject({ seq: 5 });
        expect(live.pending).toBe(0);
    });

    it("keeps a command that is given while there is no connection", () => {
        const socket = sit();
        socket.welcome(4);
        socket.drop();
        void live.act(0, "b7b6");
        expect(socket.commands).toEqual([]);
        const next = reconnected();
        next.welcome(4);
        expect(next.commands).toHaveLength(1);
    });

    it("gives each command a key of its own", () => {
        const socket = sit();
        socket.welcome(4);
        void live.act(0, "a7a6");
        void live.act(0, "a7a6");
        expect(new Set(socket.commands.map((frame) => frame["key"])).size).toBe(2);
    });

    it("tells why a command is refused, and shows the newer view", async () => {
        const socket = sit();
        socket.welcome(4);
        const answer = live.act(0, "a7a6");
        const key = socket.commands[0]?.["key"];
        const problem = { error: "stale", message: "too late", view: { seq: 6 } };
        socket.say({ type: "error", key, status: 409, ...problem });
        await expect(answer).rejects.toBeInstanceOf(Refusal);
        expect(live.view?.seq).toBe(6);
        expect(live.connection).toBe("open");
        expect(live.pending).toBe(0);
    });

    it("stops asking when the server won't let it look, and says why", () => {
        const socket = sit();
        const problem = { error: "unknown_table", message: "expected a table" };
        socket.say({ type: "error", key: null, status: 404, ...problem });
        socket.drop(4404);
        expect(live.connection).toBe("refused");
        expect(live.problem?.error).toBe("unknown_table");
        vi.advanceTimersByTime(60_000);
        expect(FakeSocket.all).toHaveLength(1);
    });

    it("gives pending commands back when it is refused", async () => {
        const socket = sit();
        socket.welcome(4);
        const answer = live.act(0, "a7a6");
        socket.drop(4403);
        await expect(answer).rejects.toBeInstanceOf(Unreachable);
    });

    it("tries again when the server is only busy", () => {
        const socket = sit();
        socket.say({ type: "error", key: null, status: 503, error: "busy", message: "" });
        expect(live.connection).not.toBe("refused");
        socket.drop(4503);
        expect(live.connection).toBe("lost");
        reconnected().welcome(4);
        expect(live.connection).toBe("open");
    });

    it("reconnects when the device is online again", () => {
        const socket = sit();
        socket.welcome(4);
        window.dispatchEvent(new Event("offline"));
        expect(live.connection).toBe("lost");
        window.dispatchEvent(new Event("online"));
        const next = FakeSocket.latest;
        expect(next).not.toBe(socket);
        expect(next.since).toBe("4");
        next.welcome(4);
        // Frames of the old socket are ignored.
        socket.say({ type: "update", seq: 9, messages: [], view: { seq: 9 } });
        expect(live.view?.seq).toBe(4);
    });

    it("reconnects when the heartbeat stops", () => {
        const socket = sit();
        socket.welcome(4);
        vi.advanceTimersByTime(70_000);
        expect(FakeSocket.latest).not.toBe(socket);
    });

    it("keeps a connection with a heartbeat", () => {
        const socket = sit();
        socket.welcome(4);
        for (let beat = 0; beat < 6; beat++) {
            vi.advanceTimersByTime(20_000);
            socket.say({ type: "ping" });
        }
        expect(FakeSocket.latest).toBe(socket);
        expect(socket.sent.filter((frame) => frame["type"] === "pong")).toHaveLength(6);
    });

    it("looks through another own chair by a new socket that goes on where the last one was", () => {
        sit().welcome(4);
        live.viewAs(2);
        const next = new URL(FakeSocket.latest.url).searchParams;
        expect([next.get("player"), next.get("since")]).toEqual(["2", "4"]);
    });

    it("gets a player's view as soon as they have taken a chair", async () => {
        const socket = sit();
        socket.welcome(4);
        const answer = live.send({ type: "claim", player: 1, name: "", program: false, salt: "" });
        socket.say({ type: "ack", key: socket.commands[0]?.["key"], seq: 5 });
        await answer;
        expect(FakeSocket.latest).not.toBe(socket);
        expect(FakeSocket.latest.since).toBe("4");
    });

    it("ends for good when it is closed", () => {
        const socket = sit();
        socket.welcome(4);
        live.close();
        socket.drop();
        vi.advanceTimersByTime(60_000);
        expect(FakeSocket.all).toHaveLength(1);
    });
});
