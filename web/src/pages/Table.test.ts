/** Two people at one device: neither sees the other's choice, however slow the connection is. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { FakeSocket } from "$lib/api/fakeSocket";
import type { GameInfo, TableView } from "$lib/api/types";
import { catalogue } from "$lib/games/catalogue.svelte";
import { sampleGame } from "$lib/games/sample";
import { start } from "$lib/i18n/index.svelte";
import { sampleChoose, sampleTable, sampleView } from "$lib/games/zoff/sample";
import type { Pair } from "$lib/games/zoff/view";
import Table from "./Table.svelte";

const TABLE = "Abcdefghij0123456789XY";
/** What the server answers to everything else that a page asks. */
const NOTHING = { messages: [], people: [], phrases: [], open: false, agreed: [], asked: [] };
/** The games that the server describes. */
let games: GameInfo[] = [];
const SECRET: Pair[] = [["Small", "2B"]];

/** The table as a chair sees it; Anna's choice is sealed, and Ben's is awaited, when Anna has chosen. */
function seenBy(player: number, sealed: boolean, secret = true): TableView {
    const mine = sealed && player === 0;
    const zoff = sampleView({
        viewer: player,
        answer: mine ? { type: "choose", pairs: SECRET } : null,
        legal: sampleChoose({ pairs: 1, sealed: mine }),
    });
    return {
        ...sampleTable(zoff, sealed ? 11 : 10),
        you: player,
        decision: { id: "1.1", since: 0, awaited: sealed ? [1] : [0, 1], secret, take_back: [] },
    };
}

function welcome(player: number, sealed: boolean, secret = true): void {
    const view = seenBy(player, sealed, secret);
    FakeSocket.latest.say({
        type: "welcome",
        seq: sealed ? 11 : 10,
        messages: [],
        view,
        players: [0, 1],
        player,
    });
}

beforeAll(() => start("en"));
beforeEach(() => {
    FakeSocket.all = [];
    sessionStorage.clear();
    vi.stubGlobal("WebSocket", FakeSocket);
    vi.stubGlobal("matchMedia", () => ({ matches: true }));
    vi.stubGlobal(
        "ResizeObserver",
        class {
            observe = () => undefined;
            unobserve = () => undefined;
            disconnect = () => undefined;
        },
    );
    catalogue.games = [];
    games = [sampleGame("zoff", { open_information: false })];
    vi.stubGlobal("fetch", ({ url }: Request) => {
        const body = url.endsWith("/api/games") ? { games } : NOTHING;
        return Promise.resolve(new Response(JSON.stringify(body)));
    });
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

/** Anna chooses and seals; the update arrives, but the acknowledgement doesn't yet. */
async function annaSeals(): Promise<void> {
    render(Table, { table: TABLE, token: null, join: false });
    await vi.waitFor(() => FakeSocket.latest, { timeout: 60_000 });
    welcome(0, false);
    await fireEvent.click(await screen.findByTestId("hand-over-ready"));
    await fireEvent.click((await screen.findAllByTestId("pasture"))[0]!);
    await fireEvent.click(screen.getAllByTestId("card")[0]!);
    await fireEvent.click(screen.getByTestId("seal"));
    expect(FakeSocket.latest.commands).toHaveLength(1);
    const view = seenBy(0, true);
    FakeSocket.latest.say({ type: "update", seq: 11, messages: [], view });
    await screen.findByTestId("hand-over");
}

test("the curtain stays until the view is the next player's", async () => {
    await annaSeals();
    const before = FakeSocket.all.length;
    await fireEvent.click(screen.getByTestId("hand-over-ready"));
    expect(FakeSocket.all.length).toBe(before + 1);
    expect(screen.queryByTestId("hand-over")).not.toBeNull();
    welcome(1, true);
    const dock = await screen.findByTestId("choose");
    expect(dock.dataset["sealed"]).toBe("false");
    expect(dock.textContent).not.toContain("Small");
});

test("a late answer to the previous player doesn't close the curtain again", async () => {
    await annaSeals();
    const [command] = FakeSocket.latest.commands;
    await fireEvent.click(screen.getByTestId("hand-over-ready"));
    welcome(1, true);
    await screen.findByTestId("choose");
    expect(FakeSocket.latest.commands).toEqual([command]); // sent again: it may not have arrived
    FakeSocket.latest.say({ type: "ack", key: String(command?.["key"]), seq: 11 });
    await new Promise((done) => setTimeout(done));
    expect(screen.queryByTestId("hand-over")).toBeNull();
});

test("a public decision needs no curtain, and says whose it is", async () => {
    render(Table, { table: TABLE, token: null, join: false });
    await vi.waitFor(() => FakeSocket.latest, { timeout: 60_000 });
    welcome(0, true, false);
    const before = FakeSocket.all.length;
    await vi.waitFor(() => expect(FakeSocket.all.length).toBe(before + 1));
    expect(new URL(FakeSocket.latest.url).searchParams.get("player")).toBe("1");
    welcome(1, true, false);
    const asked = await screen.findByTestId("asked");
    expect(asked.textContent).toContain(seenBy(1, true).players[1]?.name);
    expect(screen.queryByTestId("hand-over")).toBeNull();
});

test("when all here have answered, nobody sees the last answer", async () => {
    await annaSeals();
    await fireEvent.click(screen.getByTestId("hand-over-ready"));
    welcome(1, true);
    await screen.findByTestId("choose");
    const view = seenBy(0, true); // Ben's view isn't needed: any sealed answer would do
    FakeSocket.latest.say({
        type: "update",
        seq: 12,
        messages: [],
        view: {
            ...view,
            seq: 12,
            decision: { id: "1.1", since: 0, awaited: [2], secret: true, take_back: [] },
        },
    });
    await vi.waitFor(() => expect(screen.queryByTestId("choose")).toBeNull());
    expect(document.body.textContent).not.toContain("2B");
});
