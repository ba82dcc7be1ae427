import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { choose, LANGUAGES, start, type Language } from "$lib/i18n/index.svelte";
import Puzzle from "./Daily.svelte";

const ASKED = {
    number: 7,
    count: 9,
    fen: "11/11/11/b2C2b4/Db2Db5/1D3D5/11 w - - 0 31",
    turn: "hunter",
    grade: 2,
    moves: { d4: ["e4"] },
};
const SOLUTION = { theme: "chase", line: ["d4e4", "g4g3", "e4f3"], moves_to_win: 3 };

/** The server, as far as the page knows it; `asked` are the paths that were fetched. */
const server: { asked: string[] } = { asked: [] };

beforeAll(() => start("en"));
beforeEach(() => {
    server.asked = [];
    vi.stubGlobal("fetch", ({ url: path }: Request) => {
        server.asked.push(path);
        const body = path.includes("/solution") ? SOLUTION : path.includes("daily") ? ASKED : {};
        return Promise.resolve(new Response(JSON.stringify(body), { status: 200 }));
    });
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

test.each(Object.keys(LANGUAGES) as Language[])("giving up tells all in %s", async (language) => {
    await choose(language);
    render(Puzzle, { day: "2026-11-10" });
    await fireEvent.click(await screen.findByTestId("puzzle-show"));
    const line = await screen.findByTestId("puzzle-line");
    const moves = [...line.querySelectorAll("button")].map((button) => button.textContent);
    expect(moves).toEqual(["d4–e4", "g4–g3", "e4–f3"]);
    const said = screen.getByTestId("puzzle-said").textContent ?? "";
    expect(said).toContain("d4–e4");
    expect(said).toContain("3");
    expect(said).not.toMatch(/\{\{|puzzle\./);
    expect(screen.queryByTestId("puzzle-show")).toBeNull();
    expect(server.asked.filter((path) => path.includes("/solution"))).toHaveLength(1);
});
