import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Playback } from "./playback.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function playbackOf(last: number): Playback {
    const playback = new Playback();
    playback.begin(last);
    return playback;
}

test("steps and jumps stay inside the game", () => {
    const playback = playbackOf(3);
    playback.back();
    expect(playback.at).toBe(0);
    for (let step = 0; step < 5; step++) playback.forward();
    expect(playback.at).toBe(3);
    playback.jump(-7);
    expect(playback.at).toBe(0);
});

test("playing goes to the end and stops there; playing again begins anew", () => {
    const playback = playbackOf(3);
    playback.toggle();
    vi.advanceTimersByTime(60_000);
    expect([playback.at, playback.playing]).toEqual([3, false]);
    playback.toggle();
    expect([playback.at, playback.playing]).toEqual([0, true]);
});

test("a jump while it plays stops playing there", () => {
    const playback = playbackOf(9);
    playback.toggle();
    playback.jump(4);
    vi.advanceTimersByTime(60_000);
    expect([playback.at, playback.playing]).toEqual([4, false]);
});

test("a faster speed makes more steps in the same time", () => {
    const steps = (["½×", "1×", "2×", "4×"] as const).map((speed) => {
        const playback = playbackOf(1000);
        playback.choose(speed);
        playback.toggle();
        vi.advanceTimersByTime(30_000);
        playback.pause();
        return playback.at;
    });
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(new Set(steps).size).toBe(4);
});

test("keys step, jump and play; others are left alone", () => {
    const playback = playbackOf(5);
    const pressed = ["End", "ArrowLeft", "ArrowLeft", "ArrowRight"].map((key) => playback.key(key));
    expect([playback.at, ...pressed]).toEqual([4, true, true, true, true]);
    playback.key("Home");
    expect(playback.at).toBe(0);
    playback.key(" ");
    expect(playback.playing).toBe(true);
    expect(playback.key("Tab")).toBe(false);
});
