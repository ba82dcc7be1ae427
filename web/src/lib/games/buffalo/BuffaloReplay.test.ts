/** A replay says how the game ended, also when it was resigned: then no action ends it. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { Replay } from "$lib/api/types";
import { start } from "$lib/i18n/index.svelte";
import { Playback } from "$lib/replay/playback.svelte";
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

function described(at: number): string {
    const playback = new Playback();
    playback.begin(1, at);
    render(BuffaloReplay, { replay, source: { table: "t", game: 1 }, playback });
    return screen.getByTestId("told").textContent ?? "";
}

test("the result stands at the end, and only there", () => {
    expect(described(0)).not.toContain("resigned");
    cleanup();
    expect(described(1)).toContain("resigned");
});
