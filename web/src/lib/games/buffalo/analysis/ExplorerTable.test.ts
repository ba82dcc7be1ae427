/** The explorer says what is proven, and says so when nothing is. */
import { cleanup, render, within } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import ExplorerTable from "./ExplorerTable.svelte";

const START = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1";
const LATER = "bbbbb1bbbbb/5b5/11/11/11/3DDCDD3/11 w - - 0 2";
const known = { move: "a7a6", score: 120, plies_to_end: null, source: "" };
const played = { games: 0, buffalo_wins: 0 };

beforeAll(() => start("en"));
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

async function explored(fen: string, move: object): Promise<HTMLElement> {
    const moves = [{ ...known, ...played, ...move }];
    const answer = { fen, turn: "buffalo", nodes: 400_000, games: 0, moves };
    vi.stubGlobal("fetch", () => Promise.resolve(Response.json(answer)));
    const { container } = render(ExplorerTable, { fen, onplay: () => undefined });
    return await within(container).findByTestId("explorer");
}

test.each([
    [START, "No first move is proven yet."],
    [LATER, "None of these moves is proven yet."],
])("where nothing is proven it says so, and leads to what is", async (fen, text) => {
    const shown = await explored(fen, {});
    expect(shown.textContent).toContain(text);
    expect(within(shown).getByRole("link").getAttribute("href")).toBe("/solved");
});

test("a proven move leads to its certificate", async () => {
    const shown = await explored(START, { plies_to_end: 60, source: "opening-abc-3" });
    expect(within(shown).queryByTestId("none-proven")).toBeNull();
    const address = within(shown).getByRole("link").getAttribute("href");
    expect(address).toBe("/solved#certificate-opening-abc-3");
});
