/** A check says whether the proof fails or couldn't be tried, and its worker ends with it or with the page. */
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import Certificates from "./Certificates.svelte";

class StubWorker {
    static made: StubWorker[] = [];
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onerror: (() => void) | null = null;
    terminate = vi.fn();
    postMessage = vi.fn();

    constructor() {
        StubWorker.made.push(this);
    }
}

const NAME = "opening-abc-3";
const certificate = {
    name: NAME,
    winner: "buffalo" as const,
    width: 11,
    claims: 1,
    claim: "3bbbbbbbb/11/11/bbb8/11/3DDCDD3/11 w - - 0 1",
    answers: 129,
    tablebases: [],
    bytes: 660,
    seconds: 8,
};

beforeAll(() => start("en"));
beforeEach(() => {
    StubWorker.made = [];
    vi.stubGlobal("Worker", StubWorker);
    vi.stubGlobal("fetch", async () => new Response("proof"));
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

const show = () => render(Certificates, { certificates: [certificate], open: false });
const said = () => screen.getByTestId(`checked-${NAME}`).textContent.trim();
const begin = () => screen.getByTestId(`check-${NAME}`).click();
async function working(): Promise<StubWorker> {
    await vi.waitFor(() => expect(StubWorker.made).toHaveLength(1));
    return StubWorker.made[0]!;
}

it("says that a lost connection proves nothing, and can be tried again", async () => {
    vi.stubGlobal("fetch", async () => {
        throw new TypeError("Failed to fetch");
    });
    show();
    begin();
    await vi.waitFor(() => expect(said()).toContain("could not be loaded"));
    expect(StubWorker.made).toHaveLength(0);
    expect(screen.getByTestId<HTMLButtonElement>(`check-${NAME}`).disabled).toBe(false);
});

it("ends the worker with its answer, its failure, and the page", async () => {
    const { unmount } = show();
    begin();
    const first = await working();
    first.onmessage?.({ data: { kind: "fault", place: "position 7" } });
    await vi.waitFor(() => expect(said()).toBe("Not proven: position 7"));
    expect(first.terminate).toHaveBeenCalledOnce();
    StubWorker.made = [];
    begin();
    const second = await working();
    second.onerror?.();
    await vi.waitFor(() => expect(said()).toContain("can't check it here"));
    expect(second.terminate).toHaveBeenCalledOnce();
    StubWorker.made = [];
    begin();
    const third = await working();
    unmount();
    expect(third.terminate).toHaveBeenCalledOnce();
});
