import { beforeEach, expect, test } from "vitest";
import type { GameInfo, TableView } from "$lib/api/types";
import { countLosses, fewerOpponents, gentlerLevel } from "./losses";

const ended = (table: string, winners: number[], aborted = false): TableView =>
    ({
        table,
        game: "buffalo",
        players: [{ seat: 0 }, { seat: 1 }],
        results: [{ game: 1, winners, aborted }],
    }) as unknown as TableView;

/** A game of Zoff that these seats have ended with so many cows. Player 0 sits on the last seat. */
const placed = (table: string, ...scores: number[]): TableView => {
    const seats = scores.map((_, player) => (scores.length - 1 + player) % scores.length);
    const winners = seats.flatMap((seat, player) =>
        scores[seat] === Math.max(...scores) ? [player] : [],
    );
    return {
        table,
        game: "zoff",
        players: seats.map((seat) => ({ seat })),
        results: [{ game: 1, winners, aborted: false }],
        view: { game: "zoff", result: { scores } },
    } as unknown as TableView;
};

beforeEach(() => localStorage.clear());

test("losses in a row are counted once each, and a win ends them", () => {
    expect(countLosses(ended("a", [1]), 0)).toBe(1);
    expect(countLosses(ended("a", [1]), 0)).toBe(1);
    expect(countLosses(ended("b", [1]), 0)).toBe(2);
    expect(countLosses(ended("c", [], true), 0)).toBe(2);
    expect(countLosses(ended("d", [1]), 0)).toBe(3);
    expect(countLosses(ended("e", [0]), 0)).toBe(0);
});

test("among several a game is lost when more players came in ahead than behind", () => {
    expect(countLosses(placed("a", 20, 19, 18, 17, 15, 16), 0)).toBe(1);
    expect(countLosses(placed("b", 20, 19, 18, 15, 14, 17), 0)).toBe(2); // fourth of six
    expect(countLosses(placed("c", 20, 19, 16, 15, 14, 18), 0)).toBe(0); // third of six
    expect(countLosses(placed("d", 20, 15, 18), 0)).toBe(0); // second of three
    expect(countLosses(placed("e", 20, 18, 15), 0)).toBe(1);
    expect(countLosses(placed("f", 20, 15), 0)).toBe(2);
    expect(countLosses(placed("g", 20, 20), 0)).toBe(0);
});

/** As the server lists them. */
const levels = (game: string, count: number): GameInfo =>
    ({
        bots: ["random", ...Array.from({ length: count }, (_, at) => `${game}-${at + 1}`)],
        players: game === "zoff" ? [2, 3, 4, 5, 6] : [2],
    }) as unknown as GameInfo;
const table = (...bots: (string | null)[]) =>
    ({ players: bots.map((level) => ({ level })) }) as unknown as TableView;

test("the gentler level is below the weakest bot, and never the one that moves at random", () => {
    const [zoff, buffalo] = [levels("zoff", 6), levels("buffalo", 10)];
    expect(gentlerLevel(table(null, "zoff-3", "zoff-2"), zoff)).toBe("zoff-1");
    expect(gentlerLevel(table(null, "buffalo-10"), buffalo)).toBe("buffalo-9");
    expect(gentlerLevel(table(null, "zoff-1", "zoff-4"), zoff)).toBeNull();
    expect(gentlerLevel(table(null, "buffalo-1"), buffalo)).toBeNull();
    expect(gentlerLevel(table(null, "random"), buffalo)).toBeNull();
    expect(gentlerLevel(table(null), zoff)).toBeNull();
});

test("fewer opponents are two, or one instead of two", () => {
    const zoff = levels("zoff", 6);
    const against = (many: number) => table(null, ...Array<string>(many).fill("zoff-1"));
    expect([5, 3, 2, 1].map((many) => fewerOpponents(against(many), zoff))).toEqual([
        2,
        2,
        1,
        null,
    ]);
    expect(fewerOpponents(table(null, "buffalo-1"), levels("buffalo", 10))).toBeNull();
});
