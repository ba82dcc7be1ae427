import { beforeEach, describe, expect, it } from "vitest";
import { sampleMessage } from "$lib/api/sample";
import { SAMPLE_EVENTS, sampleEvents, sampleTable, sampleView } from "../sample";
import { withEvents } from "./events";
import { Timeline } from "./timeline.svelte";

const steps = withEvents([], SAMPLE_EVENTS, 10);

describe("the timeline", () => {
    beforeEach(() => {
        localStorage.clear();
        sessionStorage.clear();
    });

    function begun(): Timeline {
        const timeline = new Timeline("t");
        timeline.take([], sampleTable(sampleView(), 9));
        return timeline;
    }

    it("tells step by step, back and forth, and ends in the present", () => {
        const timeline = begun();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        expect(timeline.live).toBe(false);
        timeline.forward(0);
        timeline.forward(0);
        timeline.back();
        expect([timeline.shown, timeline.playing]).toEqual([1, false]);
        timeline.skip();
        expect(timeline.live).toBe(true);
    });

    it("takes a message once, however often it is sent", () => {
        const timeline = begun();
        const message = sampleEvents(SAMPLE_EVENTS, 10);
        timeline.take([message], sampleTable());
        timeline.take([message], sampleTable());
        expect(timeline.steps).toHaveLength(steps.length);
    });

    it("forgets the cards once the round has been watched (Z6.1)", () => {
        const timeline = begun();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        expect(JSON.stringify(timeline.steps)).toContain("2B");
        timeline.skip();
        expect(JSON.stringify(timeline.steps)).not.toMatch(/\d[A-Z]"/);
    });

    it("holds only the round that is shown", () => {
        const timeline = begun();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        timeline.skip();
        timeline.take([sampleEvents(SAMPLE_EVENTS, 11)], sampleTable(sampleView(), 11));
        timeline.forward(0);
        expect([timeline.shown, timeline.steps.length]).toEqual([1, steps.length]);
    });

    it("plays what wasn't watched before the page was opened again", () => {
        sessionStorage.setItem("stampede.zoff.watched.t", "9");
        const timeline = new Timeline("t");
        timeline.take([], sampleTable());
        timeline.remember([sampleEvents(SAMPLE_EVENTS, 10)]);
        expect([timeline.shown, timeline.live]).toEqual([0, false]);
    });

    it("shows all at once when asked to", () => {
        const timeline = begun();
        timeline.choose("instant");
        timeline.take([sampleEvents(SAMPLE_EVENTS, 10)], sampleTable());
        expect(timeline.live).toBe(true);
    });

    it("forgets what was taken back, also when the history is told again", () => {
        const timeline = begun();
        const first = { ...sampleEvents(SAMPLE_EVENTS.slice(0, 5), 10), kind: "act" };
        const second = { ...sampleEvents(SAMPLE_EVENTS.slice(5), 11), kind: "act" };
        const undo = sampleMessage(12, { kind: "vote", data: { on: "undo", undone: 1 } });
        timeline.take([first, second], sampleTable(sampleView(), 11));
        timeline.skip();
        timeline.take([undo], sampleTable(sampleView(), 12));
        const kinds = () => timeline.steps.map((step) => step.events[0].kind);
        expect(kinds()).toEqual(["revealed", "precedence"]);
        expect(timeline.live).toBe(true);
        timeline.remember([first, second, undo]);
        expect(kinds()).toEqual(["revealed", "precedence"]);
        expect(JSON.stringify(timeline.steps)).toContain("2B");
    });
});
