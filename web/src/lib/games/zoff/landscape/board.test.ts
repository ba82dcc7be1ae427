import { describe, expect, it } from "vitest";
import { SAMPLE_EVENTS, sampleView } from "../sample";
import { withEvents, type ZoffEvent } from "../story/events";
import { boardAt, cascadeAt, spotlight, tagsAt, withCows } from "./board";

const steps = withEvents([], SAMPLE_EVENTS, 10);
const kinds = steps.map((step) => step.events[0].kind);
const at = (kind: ZoffEvent["kind"], nth = 0): number =>
    kinds.flatMap((one, index) => (one === kind ? [index + 1] : []))[nth] ?? -1;

describe("the board at a step", () => {
    it("ends at the server's view", () => {
        expect(boardAt(sampleView(), steps, steps.length).pastures).toEqual(sampleView().pastures);
    });

    it("takes later cows back, into the reserves", () => {
        const board = boardAt(sampleView(), steps, at("revealed"));
        expect(board.pastures.map((one) => one.herds)).toEqual([
            { orange: 1 },
            { green: 4, orange: 1 },
            { pink: 1 },
        ]);
        expect(board.pastures.map((one) => one.free)).toEqual([3, 1, 8]);
        expect(board.reserves).toEqual({ orange: 46, pink: 47, green: 44 });
    });

    it("never has more or fewer spaces than a pasture's capacity", () => {
        for (let shown = 0; shown <= steps.length; shown++) {
            for (const one of boardAt(sampleView(), steps, shown).pastures) {
                const cows = Object.values(one.herds).reduce((sum, herd) => sum + herd, 0);
                expect(cows + one.free).toBe(one.capacity);
            }
        }
    });

    it("orders the pairs beside a pasture and passes them one by one (Z4.2)", () => {
        const states = (shown: number) =>
            tagsAt(sampleView(), steps, shown)
                .get("Small")
                ?.map((tag) => `${tag.order}${tag.colour} ${tag.state}`);
        expect(states(at("revealed"))).toEqual(["0orange waiting", "0pink waiting"]);
        expect(states(at("precedence"))).toEqual(["1orange next", "2pink waiting"]);
        expect(states(at("placed"))).toEqual(["1orange placed", "2pink next"]);
        expect(tagsAt(sampleView(), steps, steps.length).size).toBe(0);
    });

    it("shows the cascade as a queue (Z5.4)", () => {
        const cascade = (shown: number) => cascadeAt(sampleView(), steps, shown);
        expect(cascade(at("filled"))).toEqual(["Small"]);
        expect(cascade(at("filled", 1))).toEqual(["Small", "Middle"]);
        expect(cascade(at("bonus_placed", 2))).toEqual(["Middle"]);
        expect(cascade(at("wasted"))).toEqual([]);
    });

    it("lights the pastures that a step is about", () => {
        expect([...spotlight(steps[at("bonus_placed") - 1])]).toEqual(["Middle"]);
    });

    it("leaves the ranks of herds to their sizes", () => {
        expect(withCows({ blue: 4, pink: 2 }, { green: 3, pink: 3 })).toEqual([
            ["pink", 5],
            ["blue", 4],
            ["green", 3],
        ]);
    });
});
