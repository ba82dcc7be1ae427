import { describe, expect, it } from "vitest";
import { SAMPLE_EVENTS } from "../sample";
import { withEvents, type Of, type ZoffEvent } from "./events";
import { arrivalAt, isTrivial, WALK, weightOf } from "./pace";

const steps = withEvents([], SAMPLE_EVENTS, 1);
const find = <K extends ZoffEvent["kind"]>(kind: K) =>
    SAMPLE_EVENTS.find((event): event is Of<K> => event.kind === kind)!;
const placed = find("placed");
const precedence = find("precedence");

describe("the pace of the story", () => {
    it("tells one alone who can't do otherwise in one quick step", () => {
        const alone = { ...precedence, turns: precedence.turns.slice(0, 1) };
        const told = withEvents([], [alone, { ...placed, forced: true }], 1);
        expect(told).toHaveLength(1);
        expect([isTrivial(told[0]!), weightOf(told[0]!)]).toEqual([true, 0.5]);
    });

    it("gives drama its time", () => {
        const weights = steps.map((step) => [step.events[0].kind, weightOf(step)]);
        expect(weights.slice(0, 5)).toEqual([
            ["revealed", 1.8],
            ["precedence", 1.25],
            ["placed", 1],
            ["placed", 1],
            ["filled", 1.1],
        ]);
    });

    it("lets the cows of a bonus wait for their medal, and all walk faster at a higher speed", () => {
        const bonus = steps.find((step) => step.events[0].kind === "bonus_placed");
        expect(arrivalAt(bonus, "normal").delay).toBeGreaterThan(0);
        expect(arrivalAt(steps[2], "normal")).toEqual(WALK);
        expect(arrivalAt(steps[2], "fast").walk).toBeLessThan(WALK.walk);
    });
});
