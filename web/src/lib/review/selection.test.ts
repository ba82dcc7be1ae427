/** The decision beside the board belongs to the step that is shown, however the reader got there. */
import { expect, test } from "vitest";
import type { Replay, ReviewedDecision } from "$lib/api/types";
import { Playback } from "$lib/replay/playback.svelte";
import { Selection } from "./selection.svelte";

/** Two seal (0, 1) and 1 places (2); every event is a step, and a seal is none. */
const EVENTS = [0, 3, 2, 0, 2, 1];
const steps = EVENTS.flatMap((count, seq) => Array.from({ length: count }, () => seq));
const places = {
    positionBefore: (_: Replay, turn: number) => {
        const at = steps.findIndex((seq) => seq >= turn);
        return at < 0 ? steps.length : at;
    },
    turnAt: (_: Replay, at: number) => (steps[at - 1] ?? -1) + 1,
};
const replay = { steps: EVENTS } as unknown as Replay;
const decisions = [
    [0, 1],
    [1, 0],
    [2, 1],
    [3, 0],
    [4, 1],
    [5, 0],
].map(([turn, seat]) => ({ turn, seat }) as ReviewedDecision);

function begun(found = decisions): [Selection, Playback] {
    const playback = new Playback();
    const selection = new Selection(playback, { decisions: found });
    selection.begin(replay, places);
    playback.begin(steps.length);
    return [selection, playback];
}

test("nothing is selected until the reader moves, and nothing at the end", () => {
    const [selection, playback] = begun();
    expect([selection.decision, selection.turn]).toEqual([null, 0]);
    playback.jump(steps.length);
    expect([selection.decision, selection.turn]).toEqual([null, 6]);
    playback.jump(0);
    expect(selection.decision?.turn).toBe(1);
});

test("a step or a slide takes the decision along, and the point to play on from", () => {
    const [selection, playback] = begun();
    selection.jump(2);
    expect([playback.at, selection.turn, selection.decision?.turn]).toEqual([3, 2, 2]);
    playback.forward(); // between the two events of that action: it is done
    expect([selection.turn, selection.decision?.turn]).toEqual([3, 2]);
    playback.forward();
    expect([selection.turn, selection.decision?.turn, selection.previous?.turn]).toEqual([3, 3, 2]);
    playback.jump(1);
    expect([selection.turn, selection.decision?.turn]).toEqual([2, 1]);
});

test("of decisions that were sealed together, the one that was asked for stays", () => {
    const [selection, playback] = begun();
    selection.jump(0);
    expect(selection.together.map(({ seat }) => seat)).toEqual([0, 1]);
    expect(selection.decision?.seat).toBe(1);
    playback.forward(); // the reveal, that belongs to both
    expect([selection.decision?.seat, selection.together.length]).toEqual([1, 2]);
    selection.jump(5);
    expect(selection.together).toHaveLength(1);
});

test("every decision is reached from one to the next", () => {
    const [selection] = begun();
    const reached: (number | undefined)[] = [];
    for (const by of [1, 1, 1, 1, 1, 1, 1, -1, -1] as const) {
        selection.go(by);
        reached.push(selection.decision?.turn);
    }
    expect(reached).toEqual([0, 1, 2, 3, 4, 5, 5, 4, 3]);
    expect(selection.neighbour(1)?.turn).toBe(4);
});

test("a decision that isn't reviewed yet doesn't leave another one in its place", () => {
    const [selection] = begun(decisions.slice(0, 2));
    selection.jump(2);
    expect([selection.decision, selection.turn]).toEqual([null, 2]);
});
