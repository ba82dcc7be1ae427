import { expect, it } from "vitest";
import type { ReviewedDecision } from "$lib/api/types";
import { gradeOf, optionsOf } from "./exercise";

const decision = {
    chosen: "f7f6",
    best: "a7a6",
    value: 0.2,
    best_value: 0.7,
    unit: "chance",
    alternatives: [
        { action: "a7a6", share: null, value: 0.71, line: [] },
        { action: "b7b6", share: null, value: 0.5, line: [] },
    ],
} as unknown as ReviewedDecision;

it("offers what the review knows once each, in an order that tells nothing", () => {
    expect(optionsOf(decision)).toEqual([
        { action: "a7a6", value: 0.7 },
        { action: "b7b6", value: 0.5 },
        { action: "f7f6", value: 0.2 },
    ]);
});

it("grades an answer against the best and against what was played", () => {
    const grades = [0.69, 0.5, 0.21, 0.05].map((value) => gradeOf(decision, "c7c6", value));
    expect(grades).toEqual(["even", "better", "same", "worse"]);
    expect(gradeOf(decision, "a7a6", 0.7)).toBe("best");
});
