/** The coach of Buffalo: what a newcomer should hear, and when. */
import type { CoachData, Moment } from "$lib/learn/moments";

export const moments: readonly Moment[] = [
    { name: "buffaloes", on: "decision", when: { viewer: 0, "to_act.0": 0 } },
    { name: "hunter", on: "decision", when: { viewer: 1, "to_act.0": 1 } },
    { name: "dogMoved", on: "event", when: { kind: "moved", piece: "dog", seat: "$other" } },
    {
        name: "blocked",
        on: "event",
        when: { kind: "blocked" },
        values: { square: { path: "square", kind: "plain" } },
    },
    { name: "captured", on: "event", when: { kind: "captured" } },
    {
        name: "threat",
        on: "event",
        when: { kind: "moved", piece: "buffalo", seat: "$other", move: "$ends:3" },
    },
    {
        name: "captureNow",
        on: "event",
        when: { kind: "moved", piece: "buffalo", seat: "$other", move: "$ends:2" },
    },
    {
        name: "nearlyThere",
        on: "event",
        when: { kind: "moved", piece: "buffalo", seat: "$self", move: "$ends:3" },
    },
    { name: "ended", on: "event", when: { kind: "ended" } },
];

export const word: CoachData["word"] = (_, value) => String(value);
