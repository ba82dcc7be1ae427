import { describe, expect, it } from "vitest";
import { sampleMessage } from "$lib/api/sample";
import { SAMPLE_EVENTS, sampleView } from "../sample";
import { biggestLead, scoreSheet, standingEvents } from "./score";

const act = (seq: number, events = SAMPLE_EVENTS) => sampleMessage(seq, { kind: "act", events });

describe("the score sheet", () => {
    it("adds up where the cows came from; what no event tells of was settled before", () => {
        const sheet = scoreSheet(sampleView(), SAMPLE_EVENTS);
        expect(sheet[0]).toEqual({ settled: 2, cards: 2, bonuses: 1, final: 0, wasted: 0 });
        expect(sheet[1]).toEqual({ settled: 1, cards: 1, bonuses: 1, final: 0, wasted: 0 });
        expect(sheet[2]).toEqual({ settled: 4, cards: 0, bonuses: 0, final: 0, wasted: 1 });
    });

    it("leaves out what was taken back, and earlier games", () => {
        const undo = sampleMessage(4, {
            kind: "vote",
            data: { on: "undo", done: true, undone: 1 },
        });
        const next = sampleMessage(2, {
            kind: "vote",
            data: { on: "next", done: true, undone: 0 },
        });
        const told = standingEvents([
            act(1),
            next,
            act(3),
            undo,
            act(5, SAMPLE_EVENTS.slice(0, 2)),
        ]);
        expect(told).toEqual(SAMPLE_EVENTS.slice(0, 2));
    });

    it("says where the winner was furthest ahead", () => {
        const [one, two] = scoreSheet(sampleView(), SAMPLE_EVENTS);
        expect(biggestLead(one!, two!)).toEqual({ source: "settled", most: 2, less: 1 });
        expect(biggestLead(one!, one!)).toBeNull();
    });
});
