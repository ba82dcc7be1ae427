/** An engine that is still compiled is explained, one that thinks isn't, and the explanation ends with the compiling. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import Preparing from "./Preparing.svelte";

const answers: { ready: boolean; done: number; parts: number }[] = [];

beforeAll(() => start("en"));
beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    // Test files share their modules, so that a mocked client would depend on which file comes first.
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(answers.shift())));
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.useRealTimers();
});

const said = () => screen.getByTestId("preparing").textContent.trim();

/** Lets time pass step by step, so that what a timer begins has ended when it is looked at. */
async function waited(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 0.25) {
        await vi.advanceTimersByTimeAsync(250);
        // An answer is read in turns of the event loop, which no timer counts.
        for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
        await tick();
    }
}

test("people learn how much is prepared until all is", async () => {
    answers.push({ ready: false, done: 2, parts: 5 }, { ready: true, done: 5, parts: 5 });
    render(Preparing, { game: "zoff" });
    await waited(2);
    expect(said()).toBe("");
    await waited(1.5);
    expect(said()).toContain("prepares");
    expect(screen.getByLabelText("2 of 5 parts are ready")).toBeTruthy();
    await waited(3);
    expect(said()).toBe("");
    await waited(9);
    expect(answers).toEqual([]);
});

test("an engine that is ready is given its time", async () => {
    answers.push({ ready: true, done: 1, parts: 1 });
    render(Preparing, { game: "buffalo" });
    await waited(9);
    expect(said()).toBe("");
});
