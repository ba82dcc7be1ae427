import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Walk } from "./walk.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function walkOf(last: number): Walk {
    const walk = new Walk();
    walk.begin(last);
    return walk;
}

test("steps and jumps stay inside the game", () => {
    const walk = walkOf(3);
    walk.back();
    expect(walk.at).toBe(0);
    for (let step = 0; step < 5; step++) walk.forward();
    expect(walk.at).toBe(3);
    walk.jump(-7);
    expect(walk.at).toBe(0);
});

test("playing goes to the end and stops there; playing again begins anew", () => {
    const walk = walkOf(3);
    walk.toggle();
    vi.advanceTimersByTime(60_000);
    expect([walk.at, walk.playing]).toEqual([3, false]);
    walk.toggle();
    expect([walk.at, walk.playing]).toEqual([0, true]);
});

test("whoever jumps while it plays stays where he jumped to", () => {
    const walk = walkOf(9);
    walk.toggle();
    walk.jump(4);
    vi.advanceTimersByTime(60_000);
    expect([walk.at, walk.playing]).toEqual([4, false]);
});

test("a faster speed makes more steps in the same time", () => {
    const steps = (["½×", "1×", "2×", "4×"] as const).map((speed) => {
        const walk = walkOf(1000);
        walk.choose(speed);
        walk.toggle();
        vi.advanceTimersByTime(30_000);
        walk.pause();
        return walk.at;
    });
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(new Set(steps).size).toBe(4);
});

test("keys step, jump and play; others are left alone", () => {
    const walk = walkOf(5);
    const pressed = ["End", "ArrowLeft", "ArrowLeft", "ArrowRight"].map((key) => walk.key(key));
    expect([walk.at, ...pressed]).toEqual([4, true, true, true, true]);
    walk.key("Home");
    expect(walk.at).toBe(0);
    walk.key(" ");
    expect(walk.playing).toBe(true);
    expect(walk.key("Tab")).toBe(false);
});
