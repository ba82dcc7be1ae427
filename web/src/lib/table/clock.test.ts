import { expect, test, beforeAll } from "vitest";
import { noteServerTime, serverNow } from "$lib/api/serverTime";
import { start } from "$lib/i18n/index.svelte";
import { face, isLow, isRunning, spokenStep, timeLeft, words } from "./clock";

beforeAll(() => start("en"));

const HOUR = 3_600_000;

test("a clock loses what has passed at the server, whatever this device's clock says", () => {
    noteServerTime(5_000_000);
    const clock = { left_ms: 30_000, running_since: 5_000_000 - 22_000 };
    expect(Math.round(timeLeft(clock, serverNow()) / 100)).toBe(80);
});

test("a clock that starts later stands until then", () => {
    const clock = { left_ms: 30_000, running_since: 1_000 };
    expect(timeLeft(clock, 400)).toBe(30_000);
    expect(isRunning(clock, 400)).toBe(false);
    expect(timeLeft(clock, 2_000)).toBe(29_000);
    expect(isRunning(clock, 2_000)).toBe(true);
    expect(timeLeft({ left_ms: 5, running_since: null }, 9_999)).toBe(5);
    expect(timeLeft(clock, 99_000)).toBe(0);
});

test("shows seconds, minutes, hours and days", () => {
    expect(face(7_001)).toBe("0:08");
    expect(face(750_000)).toBe("12:30");
    expect(face(HOUR + 5 * 60_000)).toBe("1:05:00");
    expect(face(51 * HOUR)).toBe("2d 3h");
});

test("says what is left in few, round words", () => {
    expect(words(8_000)).toBe("10 seconds");
    expect(words(31_000)).toBe("40 seconds");
    expect(words(119_000)).toBe("2 minutes");
    expect(words(3 * HOUR)).toBe("3 hours");
    expect(words(72 * HOUR)).toBe("3 days");
});

test("announces the last minute in three steps", () => {
    const said = [90_000, 60_000, 31_000, 30_000, 11_000, 9_000, 0].map(spokenStep);
    expect(said).toEqual([null, 60, 60, 30, 30, 10, null]);
});

test("little time is little of what there was", () => {
    expect(isLow(10_000, 30_000)).toBe(true);
    expect(isLow(11_000, 30_000)).toBe(false);
    expect(isLow(50_000, 300_000)).toBe(true);
    expect(isLow(2 * HOUR, 72 * HOUR)).toBe(false);
});
