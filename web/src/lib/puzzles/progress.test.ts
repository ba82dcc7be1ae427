import { beforeEach, describe, expect, it } from "vitest";
import { load, noteDay, noteSolved, streak, today, weeksOf } from "./progress";

beforeEach(() => localStorage.clear());

describe("the streak of days", () => {
    const days = {
        "2026-11-14": "solved",
        "2026-11-15": "solved",
        "2026-11-16": "solved",
    } as const;

    it("counts up to today or yesterday, and ends at a gap or at help", () => {
        expect(streak(days, "2026-11-16")).toBe(3);
        expect(streak(days, "2026-11-17")).toBe(3);
        expect(streak(days, "2026-11-18")).toBe(0);
        expect(streak({ ...days, "2026-11-15": "helped" }, "2026-11-16")).toBe(1);
        expect(streak({}, "2026-11-16")).toBe(0);
    });
});

describe("what a device remembers", () => {
    it("keeps the first result of a day", () => {
        noteDay("2026-11-16", "helped");
        expect(noteDay("2026-11-16", "solved").days).toEqual({ "2026-11-16": "helped" });
    });

    it("counts puzzles in a row, and the most", () => {
        for (const solved of [true, true, false, true]) noteSolved(7, solved);
        expect(load()).toMatchObject({ row: 1, best: 2, seen: [7] });
    });

    it("survives nonsense in the storage", () => {
        localStorage.setItem("stampede.puzzles", "{");
        expect(load().row).toBe(0);
    });
});

describe("the calendar", () => {
    it("has whole weeks from Monday on", () => {
        const weeks = weeksOf("2026-11");
        expect(weeks[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
        expect(weeks.flat().filter(Boolean)).toHaveLength(30);
        expect(weeks.every((week) => week.length === 7)).toBe(true);
    });

    it("knows the day here", () => {
        expect(today(new Date(2026, 10, 17, 0, 30))).toBe("2026-11-17");
    });
});
