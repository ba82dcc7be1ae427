import { beforeAll, describe, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import { SAMPLE_EVENTS, sampleTable } from "../sample";
import { describeStep } from "./describe";
import { redactCards, withEvents, type ZoffEvent } from "./events";

const steps = withEvents([], SAMPLE_EVENTS, 10);
const kinds = steps.map((step) => step.events[0].kind);
const at = (kind: ZoffEvent["kind"], nth = 0): number =>
    kinds.flatMap((one, index) => (one === kind ? [index + 1] : []))[nth] ?? -1;

describe("a description", () => {
    beforeAll(() => start("en"));

    it("says what happened and why, with the clause", () => {
        const told = (shown: number) => describeStep(sampleTable(), steps[shown - 1]!);
        expect(told(at("precedence")).text).toBe("Small: Anna goes first.");
        expect(told(at("precedence")).why[0]).toBe("1. Anna: has a herd of 1 here (Z4.2)");
        expect(told(at("placed", 1)).why).toEqual(["Not 2: only 1 free space (Z4.3)"]);
        expect(told(at("filled", 1)).why).toEqual(["Its bonuses wait behind Small."]);
        expect(told(at("bonus_placed", 2)).why[0]).toContain("Z5.2");
    });

    it("has words for every step, with and without the cards", () => {
        for (const step of [...steps, ...redactCards(steps)]) {
            const { text, why } = describeStep(sampleTable(), step);
            for (const line of [text, ...why]) expect(line).not.toMatch(/zoff\.|^$|undefined|\{\{/);
        }
    });

    it("leaves no cow card in a round that is over (Z6.1)", () => {
        expect(JSON.stringify(redactCards(steps))).not.toMatch(/\d[A-Z]"/);
    });
});
