import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick, type ComponentProps } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { sampleTableView } from "$lib/api/sample";
import { start } from "$lib/i18n/index.svelte";
import BuffaloTable from "./BuffaloTable.svelte";
import { SAMPLE_REACH, sampleView } from "./sample";

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
    vi.stubGlobal("fetch", () =>
        Promise.resolve(new Response(JSON.stringify({ messages: [], reach: SAMPLE_REACH }))),
    );
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

const standsOn = (square: string): string | undefined =>
    document.querySelector<HTMLElement>(`[data-square=${square}]`)?.dataset["piece"];

/** Presses keys on the board, one after the other. */
async function press(...keys: string[]): Promise<void> {
    const board = screen.getByTestId("board");
    for (const key of keys) await fireEvent.keyDown(board, { key });
}

test("a move stands at once, marked as pending, until the view brings it", async () => {
    let accept: (accepted: boolean) => void = () => undefined;
    const act = () => new Promise<boolean>((resolve) => (accept = resolve));
    const { rerender } = render(BuffaloTable, { ...props(FEN), mine: [0], act });
    const [to] = await choose();
    await press("ArrowUp", "Enter");
    expect(standsOn(to ?? "")).toBe("buffalo");
    expect(document.querySelector("[data-pending]")).not.toBeNull();
    accept(true);
    await tick();
    expect(standsOn(to ?? ""), "the acknowledgement may come before the view").toBe("buffalo");
    const { view } = props(NEXT, "1.2");
    await rerender({ ...props(NEXT, "1.2"), view: { ...view, seq: view.seq + 1 }, mine: [0], act });
    expect(standsOn("f6")).toBe("buffalo");
    expect(document.querySelector("[data-pending]")).toBeNull();
});

test("a move that is refused goes back", async () => {
    const act = () => Promise.resolve(false);
    render(BuffaloTable, { ...props(FEN), mine: [0], act });
    const [to] = await choose();
    await press("ArrowUp", "Enter");
    await vi.waitFor(() => expect(standsOn(`${to?.[0]}7`)).toBe("buffalo"));
    expect(document.querySelector("[data-pending]")).toBeNull();
    expect(screen.getByTestId("board").classList.contains("playable")).toBe(true);
});

/** The hunter thinks; the buffalo side of this device has planned f6–f5. */
async function plan(act: ComponentProps<typeof BuffaloTable>["act"]) {
    const thinking = { ...props(NEXT), mine: [0], act };
    const rendered = render(BuffaloTable, thinking);
    await vi.waitFor(() => expect(document.querySelector("[data-square=f6].may")).not.toBeNull());
    const board = screen.getByTestId("board");
    await fireEvent.focus(board);
    while (!screen.getByTestId("board-said").textContent?.startsWith("f6"))
        await press(
            screen.getByTestId("board-said").textContent?.startsWith("f") ? "ArrowUp" : "ArrowLeft",
        );
    await press("Enter", "ArrowUp", "Enter");
    return rendered;
}

/** The position after the hunter's answer, with these moves for the buffalo side. */
function answered(moves: Record<string, string[]>): ComponentProps<typeof BuffaloTable> {
    const { view, ...rest } = props(NEXT, "1.3");
    const game = sampleView({ fen: NEXT, to_act: [0], legal: { moves, refused: [] } });
    return { ...rest, view: { ...view, seq: view.seq + 1, view: game }, mine: [0] };
}

test("a move planned while the other side thinks is sent as soon as it is legal", async () => {
    const act = vi.fn(() => Promise.resolve(true));
    const { rerender } = await plan(act);
    expect(screen.getByTestId("planned").textContent).toContain("f6–f5");
    expect(act).not.toHaveBeenCalled();
    await rerender({ ...answered({ f6: ["f5"] }), act });
    expect(act).toHaveBeenCalledExactlyOnceWith(0, "f6f5");
});

test("a planned move that isn't legal is dropped with a word", async () => {
    const act = vi.fn(() => Promise.resolve(true));
    const { rerender } = await plan(act);
    await rerender({ ...answered({ e7: ["e6"] }), act });
    expect(act).not.toHaveBeenCalled();
    expect(screen.queryByTestId("planned")).toBeNull();
    expect(screen.getByTestId("dropped").textContent).toContain("f6–f5");
});

test("a planned move can be cancelled by key and by button", async () => {
    const act = vi.fn(() => Promise.resolve(true));
    await plan(act);
    await press("Escape");
    expect(screen.queryByTestId("planned")).toBeNull();
    await press("ArrowDown", "Enter", "ArrowUp", "Enter");
    await fireEvent.click(screen.getByTestId("cancel-premove"));
    expect(screen.queryByTestId("planned")).toBeNull();
    expect(act).not.toHaveBeenCalled();
});

test("where a game takes days, no move is planned", async () => {
    const { view, ...rest } = props(NEXT);
    const clock = { ...view.settings.clock, kind: "days" as const };
    render(BuffaloTable, {
        ...rest,
        mine: [0],
        view: { ...view, settings: { ...view.settings, clock } },
    });
    await tick();
    expect(document.querySelector(".may")).toBeNull();
});
