import { beforeEach, expect, test } from "vitest";
import type { GameInfo, TableView } from "$lib/api/types";
import { countLosses, gentlerLevel } from "./losses";

const ended = (table: string, winners: number[], aborted = false): TableView =>
    ({ table, game: "buffalo", results: [{ game: 1, winners, aborted }] }) as unknown as TableView;

beforeEach(() => localStorage.clear());

test("losses in a row are counted once each, and a win ends them", () => {
    expect(countLosses(ended("a", [1]), 0)).toBe(1);
    expect(countLosses(ended("a", [1]), 0)).toBe(1);
    expect(countLosses(ended("b", [1]), 0)).toBe(2);
    expect(countLosses(ended("c", [], true), 0)).toBe(2);
    expect(countLosses(ended("d", [1]), 0)).toBe(3);
    expect(countLosses(ended("e", [0]), 0)).toBe(0);
});

test("the gentler level is below the weakest bot, and the weakest has none below", () => {
    const info = { bots: ["one", "two", "three"] } as unknown as GameInfo;
    const table = (...levels: (string | null)[]) =>
        ({ players: levels.map((level) => ({ level })) }) as unknown as TableView;
    expect(gentlerLevel(table(null, "three", "two"), info)).toBe("one");
    expect(gentlerLevel(table(null, "one"), info)).toBeNull();
    expect(gentlerLevel(table(null), info)).toBeNull();
});
