/** What a reader sees of a review that waits. */
import { cleanup, fireEvent, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import CurvePanel from "./CurvePanel.svelte";
import { Review } from "./review.svelte";

beforeAll(() => start("en"));
beforeEach(() => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 404 })));
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

function shown(review: Review, onagain: () => void = () => undefined): HTMLElement {
    const names = ["Ada", "Ben"];
    const at = { fills: ["red", "blue"], turn: 0, onjump: () => undefined };
    return render(CurvePanel, { game: "buffalo", review, names, ...at, onagain }).container;
}

test("the place in the queue is shown, and whose reviews come first", async () => {
    const review = new Review();
    review.ahead = 2;
    const panel = shown(review);
    expect(panel.textContent).toContain("Place 3 in the queue");
    expect(panel.textContent).toContain("2 other reviews come first.");
    [review.ahead, review.own] = [1, true];
    await tick();
    expect(panel.textContent).toContain("Place 2 in the queue");
    expect(panel.textContent).toContain("Your other review comes first.");
});

test("a review that was refused says that it goes on by itself, and why it can't yet", () => {
    const review = new Review();
    review.waiting = "address_busy";
    const panel = shown(review);
    expect(panel.textContent).toContain("Others who share your connection");
    expect(panel.querySelector("[role=alert]")).toBeNull();
});

test("a review that was lost can be asked for again", async () => {
    const review = new Review();
    review.problem = "away";
    const again = vi.fn();
    const panel = shown(review, again);
    await fireEvent.click(panel.querySelector("[role=alert] + div button")!);
    expect(again).toHaveBeenCalledOnce();
});
