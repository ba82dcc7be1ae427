import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import AnalysisPanel from "./AnalysisPanel.svelte";

const FEN = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1";
const NEXT = "1bbbbbbbbbb/b10/11/11/11/3DDCDD3/11 w - - 0 1";
const EVEN = { code: "even", values: {}, text: "even" };

function answer(fen: string): object {
    const line = { move: "a7a6", score: 0, plies_to_end: null, verdict: EVEN, depth: 1 };
    const lines = [{ ...line, moves: ["a7a6", "d2d3"] }];
    return {
        fen,
        turn: "buffalo",
        verdict: EVEN,
        remarks: server.remarks,
        depth: 1,
        nodes: 1,
        seconds: 0,
        lines,
    };
}

/** The server, as far as the panel knows it: answers about the position that is on the table. */
const server = { fen: FEN, status: 200, asked: 0, remarks: [] as object[] };

beforeAll(() => start("en"));
beforeEach(() => {
    vi.useFakeTimers();
    Object.assign(server, { fen: FEN, status: 200, asked: 0, remarks: [] });
    vi.stubGlobal("fetch", () => {
        server.asked += 1;
        const body = server.status === 200 ? answer(server.fen) : { error: "away" };
        return Promise.resolve(new Response(JSON.stringify(body), { status: server.status }));
    });
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.useRealTimers();
});

const source = { table: "t", game: 1 };
const panel = (fen: string) => ({ source, ply: null, fen, hints: true, arrows: [] });
const soon = () => vi.advanceTimersByTimeAsync(5000);

test("it is silent until it is asked, and asks once for a position", async () => {
    const { rerender } = render(AnalysisPanel, panel(FEN));
    await soon();
    expect(server.asked).toBe(0);
    await fireEvent.click(screen.getByTestId("analyse"));
    await soon();
    expect(screen.getByTestId("verdict").textContent).toContain("even");
    await rerender({ ...panel(FEN), source: { ...source } });
    await soon();
    expect(server.asked).toBe(1);
});

test("a hint is for one position only", async () => {
    const { rerender } = render(AnalysisPanel, panel(FEN));
    await fireEvent.click(screen.getByTestId("hint"));
    await soon();
    expect(screen.getByTestId("hinted").textContent).toContain("a7 → a6");
    await rerender(panel(NEXT));
    await soon();
    expect(screen.queryByTestId("hinted")).toBeNull();
    expect(server.asked).toBe(1);
});

test("an answer about another position isn't shown", async () => {
    render(AnalysisPanel, panel(NEXT));
    await fireEvent.click(screen.getByTestId("analyse"));
    await soon();
    expect(screen.queryByTestId("verdict")).toBeNull();
    server.fen = NEXT;
    await soon();
    expect(screen.getByTestId("verdict")).toBeTruthy();
});

test("a server that can't answer isn't asked again and again", async () => {
    server.status = 500;
    render(AnalysisPanel, panel(FEN));
    await fireEvent.click(screen.getByTestId("analyse"));
    await soon();
    expect(server.asked).toBe(1);
    expect(screen.getByTestId("analysis").textContent).toContain("can't be reached");
});

test("a proof by a certificate leads to that certificate", async () => {
    server.remarks = [{ code: "in_certificate", values: { name: "opening-abc-2" }, text: "" }];
    render(AnalysisPanel, panel(FEN));
    await fireEvent.click(screen.getByTestId("analyse"));
    await soon();
    const link = screen.getByTestId("proven");
    expect(link.getAttribute("href")).toBe("/solved#certificate-opening-abc-2");
});

test("the long name of a proof stands behind a link, not among the remarks", async () => {
    HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
        this.open = true;
    };
    const name = "tables/5-buffaloes/cdDDDD-abcdefghijk-1234567890";
    server.remarks = [{ code: "in_table", values: { name }, text: "" }];
    render(AnalysisPanel, panel(FEN));
    await fireEvent.click(screen.getByTestId("analyse"));
    await soon();
    expect(screen.getByTestId("remarks").textContent).not.toContain(name);
    const dialog = document.querySelector("dialog");
    expect(dialog?.open).toBe(false);
    await fireEvent.click(screen.getByTestId("proven"));
    expect(dialog?.open).toBe(true);
    expect(dialog?.textContent).toContain(name);
});
