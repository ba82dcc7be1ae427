/** A replay says how the game ended, also when it was resigned (then no action ends it), and shows a review's arrows. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Replay, ReviewedDecision } from "$lib/api/types";
import { start } from "$lib/i18n/index.svelte";
import { Playback } from "$lib/replay/playback.svelte";
import type { ReplayProps } from "../gameClient";
import BuffaloReplay from "./BuffaloReplay.svelte";
import { sampleMove, sampleView } from "./sample";

beforeAll(() => start("en"));
afterEach(cleanup);

const view = sampleView({ last_move: "a7a6" });
const replay: Replay = {
    game: "buffalo",
    meta: {},
    rules: {},
    seats: [],
    start: sampleView(),
    steps: [{ action: "a7a6", seat: 0, events: [sampleMove("a7a6", 0)], view }],
    result: { winner: 0, reason: "resigned" },
};

type Decisions = Pick<ReplayProps, "decision" | "previous">;

function shown(at: number, decisions: Decisions = {}): HTMLElement {
    const playback = new Playback();
    playback.begin(1, at);
    const source = { table: "t", game: 1 };
    return render(BuffaloReplay, { replay, source, playback, ...decisions }).container;
}

function described(at: number): string {
    shown(at);
    return screen.getByTestId("told").textContent ?? "";
}

const decided = (turn: number, chosen: string, best: string, line: string[] = []) =>
    ({ turn, chosen, best, loss: chosen === best ? 0 : 0.3, line }) as ReviewedDecision;

const arrows = (at: number, decisions: Decisions) =>
    [...shown(at, decisions).querySelectorAll(".arrow")].map(({ classList }) => classList[1]);

test("arrows show a mistake and what was better, and a step later the answer to it", () => {
    const mistake = decided(0, "a7a6", "b7b6", ["e2e5"]);
    expect(arrows(0, { decision: mistake })).toEqual(["played", "best"]);
    expect(arrows(1, { decision: null, previous: mistake })).toEqual(["refutes"]);
    const answered = decided(1, "e2e5", "e2e5");
    expect(arrows(1, { decision: answered, previous: mistake })).toEqual(["refutes"]);
    const missed = decided(1, "d2d3", "e2e5");
    expect(arrows(1, { decision: missed, previous: mistake })).toEqual(["played", "best"]);
});

test("the result stands at the end, and only there", () => {
    expect(described(0)).not.toContain("resigned");
    cleanup();
    expect(described(1)).toContain("resigned");
});
