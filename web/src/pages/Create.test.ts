/** The page offers what the server describes, and waits for it before it opens a table. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { catalogue } from "$lib/games/catalogue.svelte";
import { sampleGame } from "$lib/games/sample";
import { start } from "$lib/i18n/index.svelte";
import Create from "./Create.svelte";

const ANSWERS: Record<string, object> = {
    "/api/games": { games: [sampleGame("buffalo")] },
    "/api/tables": { table: "t", invite: "i" },
};
const bodies: string[] = [];
let tell: () => void = () => undefined;

beforeAll(() => start("en"));
beforeEach(() => {
    bodies.length = 0;
    catalogue.games = [];
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
    expect(chairs).toEqual([{}, { bot: "easy" }]);
});

test("offers the clocks, sides and numbers of players that the server describes", async () => {
    const described = { players: [2, 3], sides: ["buffalo", "hunter"], rounds: true };
    catalogue.games = [
        sampleGame("zoff", {
            ...described,
            clock_kinds: ["none", "move", "round", "days"],
            expiries: ["bot"],
        }),
        sampleGame("buffalo", { sides: ["buffalo", "hunter"], forfeits: ["resigned", "time"] }),
    ];
    const clocks = () =>
        [...document.querySelectorAll("option")].map((option) => option.value).join(" ");
    render(Create, { game: "zoff" });
    expect(clocks()).toContain("none move30 round2 days3");
    expect(screen.getByText("3")).toBeTruthy();
    await fireEvent.click(screen.getByText("Buffalo"));
    expect(clocks()).toContain("none move30 game5 game10 game15 lost10 days3");
    expect(screen.getByText("the hunter")).toBeTruthy();
    tell();
});
