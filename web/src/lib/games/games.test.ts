/** The registry: every game brings all that the pages need, and no page knows a game by its name. */
import { beforeAll, describe, expect, it } from "vitest";
import { has, start } from "$lib/i18n/index.svelte";
import { gameClient, GAME_NAMES, isGame } from ".";

const sources = import.meta.glob<string>(
    [
        "/src/**/*.{svelte,ts}",
        "!/src/**/*.test.ts",
        "!/src/lib/games/*/**",
        "!/src/lib/api/schema.d.ts",
    ],
    { eager: true, query: "?raw", import: "default" },
);

beforeAll(() => start("en"));

describe.each(GAME_NAMES)("%s", (name) => {
    const client = gameClient(name);

    it("has its texts", () => {
        for (const key of [`home.${name}.title`, `home.${name}.text`]) {
            expect(has(key), key).toBe(true);
        }
        expect(client.keys().flatMap((group) => group.lines).length).toBeGreaterThan(3);
    });

    it("loads its components", async () => {
        expect((await client.loadTable()).default).toBeTypeOf("function");
        expect((await client.loadReplay()).default).toBeTypeOf("function");
    });
});

it("refuses a game that it doesn't know", () => {
    expect(isGame("chess")).toBe(false);
    expect(isGame("toString")).toBe(false);
    expect(() => gameClient("chess")).toThrow("chess");
});

it("is the only place that names the games", () => {
    const named = new RegExp(`["'\`](${GAME_NAMES.join("|")})["'\`]`);
    const found = Object.entries(sources).filter(([, text]) => named.test(text));
    expect(Object.keys(sources).length).toBeGreaterThan(50);
    expect(found.map(([path]) => path)).toEqual([]);
});
