import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import { samplePlayer, sampleTableView } from "$lib/api/sample";
import { LANGUAGES, start, type Language } from "$lib/i18n/index.svelte";
import StandIns from "./StandIns.svelte";

beforeAll(() => start("en"));
afterEach(cleanup);

const view = (stand_ins: number[], out: number[]) =>
    sampleTableView({
        phase: "over",
        players: [samplePlayer(0, { name: "Ann" }), samplePlayer(1, { name: "Ben" })],
        results: [{ game: 1, winners: [1], reason: "time", aborted: false, stand_ins, out }],
    });

test("says what a bot played and for whom", () => {
    render(StandIns, { view: view([3, 1], [0]), mine: [] });
    expect(screen.getAllByTestId("stand-in").map((line) => line.textContent)).toEqual([
        "Ann ran out of time and is last.",
        "A bot took 3 decisions for Ann.",
        "A bot took one decision for Ben.",
    ]);
});

test("says nothing where everyone played", () => {
    render(StandIns, { view: view([0, 0], []), mine: [] });
    expect(screen.queryByTestId("stand-in")).toBeNull();
});

test.each(Object.keys(LANGUAGES) as Language[])("is told in %s", async (language) => {
    await start(language);
    render(StandIns, { view: view([5, 0], [0]), mine: [] });
    const told = screen.getAllByTestId("stand-in").map((line) => line.textContent);
    expect(told).toHaveLength(2);
    for (const line of told) expect(line).toMatch(/Ann/);
    expect(told[1]).toContain("5");
});
