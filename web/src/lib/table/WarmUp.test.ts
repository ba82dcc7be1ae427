/** A bot that lets people wait is excused, a person never is, and an answer ends the excuse. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { samplePlayer, sampleTableView } from "$lib/api/sample";
import type { PlayerView, TableView } from "$lib/api/types";
import { start } from "$lib/i18n/index.svelte";
import WarmUp from "./WarmUp.svelte";

beforeAll(() => start("en"));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
    cleanup();
    vi.useRealTimers();
});

const view = (seq: number, ...awaited: PlayerView["kind"][]): TableView =>
    sampleTableView({
        seq,
        players: awaited.map((kind, player) => samplePlayer(player, { kind, awaited: true })),
    });
const said = () => screen.getByTestId("warming").textContent;

async function waited(seconds: number): Promise<void> {
    vi.advanceTimersByTime(1000 * seconds);
    await tick();
}

test("a bot is excused after some seconds, and until it answers", async () => {
    const { rerender } = render(WarmUp, { view: view(1, "bot") });
    await waited(2);
    expect(said()).toBe("");
    await waited(4);
    expect(said()).toContain("warm up");
    await rerender({ view: view(2, "bot") });
    expect(said()).toBe("");
});

test("nobody is excused while a person is awaited", async () => {
    render(WarmUp, { view: view(1, "bot", "human") });
    await waited(60);
    expect(said()).toBe("");
});
