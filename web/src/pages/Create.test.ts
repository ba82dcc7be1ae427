/** A table that is opened before the page knows which bots there are gets those that the page names. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import Create from "./Create.svelte";

const BUFFALO = { name: "buffalo", bots: ["random", "easy", "gentle"], series: [], variants: [] };
const ANSWERS: Record<string, object> = {
    "/api/games": { games: [BUFFALO] },
    "/api/tables": { table: "t", invite: "i" },
};
const bodies: string[] = [];
let tell: () => void = () => undefined;

beforeAll(() => start("en"));
beforeEach(() => {
    bodies.length = 0;
    const games = new Promise<void>((done) => (tell = done));
    vi.stubGlobal("scrollTo", () => undefined);
    vi.stubGlobal("fetch", async (request: Request) => {
        const path = new URL(request.url).pathname;
        if (path === "/api/games") await games;
        if (path === "/api/tables") bodies.push(await request.text());
        return new Response(JSON.stringify(ANSWERS[path] ?? {}));
    });
});
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    history.replaceState(null, "", "/");
});

test("a quick click waits for the bots instead of taking any", async () => {
    render(Create, { game: "buffalo" });
    await fireEvent.click(screen.getByTestId("create"));
    tell();
    await vi.waitFor(() => expect(location.pathname).toBe("/t/t"), { timeout: 60_000 });
    const { chairs } = JSON.parse(bodies[0] ?? "") as { chairs: { bot?: string }[] };
    expect(chairs).toEqual([{}, { bot: "gentle" }]);
});
