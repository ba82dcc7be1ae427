import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import type { ComponentProps } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sampleTableView } from "$lib/api/sample";
import { start } from "$lib/i18n/index.svelte";
import BuffaloTable from "./BuffaloTable.svelte";
import { sampleView } from "./sample";

const FEN = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1";
const NEXT = "bbbbb1bbbbb/5b5/11/11/11/3DDCDD3/11 w - - 0 1";

/** What the server says about a table where two people share this device. */
function props(fen: string, decision = "1.1"): ComponentProps<typeof BuffaloTable> {
    const moves = fen === FEN ? { e7: ["e6"], f7: ["f6"], g7: ["g6"] } : null;
    const view = sampleTableView({
        game: "buffalo",
        decision: { id: decision, since: 0, awaited: [0], secret: false, take_back: [] },
        view: sampleView({
            fen,
            to_act: [moves ? 0 : 1],
            legal: moves && { moves, refused: [] },
            last_move: moves ? null : "f7f6",
        }),
    });
    const agreed = () => Promise.resolve(true);
    return { view, update: null, mine: [0, 1], act: agreed, send: agreed };
}

const targets = (): (string | null)[] =>
    [...document.querySelectorAll("[data-target]")].map((one) => one.getAttribute("data-target"));

/** Chooses the buffalo beside the middle by keys; which one depends on how the board lies. */
async function choose(): Promise<(string | null)[]> {
    const board = screen.getByTestId("board");
    await fireEvent.keyDown(board, { key: "ArrowRight" });
    await fireEvent.keyDown(board, { key: "Enter" });
    return targets();
}

beforeAll(() => start("en"));
beforeEach(() => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response('{"messages":[]}')));
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

test("a chosen piece stays chosen when news about other things arrive", async () => {
    const { rerender } = render(BuffaloTable, props(FEN));
    const chosen = await choose();
    expect(chosen).toHaveLength(1);
    await rerender(props(FEN));
    expect(targets()).toEqual(chosen);
});

test("a chosen piece is let go when the position changes", async () => {
    const { rerender } = render(BuffaloTable, props(FEN));
    await choose();
    await rerender(props(NEXT));
    expect(targets()).toEqual([]);
});

test("no piece can be picked up while a move is on its way, and the next decision needn't wait for it", async () => {
    const played: unknown[] = [];
    const act = (_: number, move: unknown) => new Promise<boolean>(() => played.push(move));
    const { rerender } = render(BuffaloTable, { ...props(FEN), act });
    const [first] = await choose();
    const board = screen.getByTestId("board");
    await fireEvent.keyDown(board, { key: "ArrowUp" });
    await fireEvent.keyDown(board, { key: "Enter" });
    expect(played).toEqual([`${first?.[0]}7${first}`]);
    expect(board.classList.contains("playable")).toBe(false);
    await fireEvent.keyDown(board, { key: "ArrowDown" });
    await fireEvent.keyDown(board, { key: "Enter" });
    expect(targets()).toEqual([]);
    await rerender({ ...props(FEN, "1.2"), act });
    expect(board.classList.contains("playable")).toBe(true);
    await fireEvent.keyDown(board, { key: "Enter" });
    await fireEvent.keyDown(board, { key: "ArrowUp" });
    await fireEvent.keyDown(board, { key: "Enter" });
    expect(played).toHaveLength(2);
});

test("a game that ended by agreement says so, not whose turn it would be", () => {
    const { view, ...rest } = props(FEN);
    render(BuffaloTable, { ...rest, view: { ...view, phase: "over", decision: null } });
    expect(screen.getByTestId("status").textContent).toBe("The game ended without a result.");
});
