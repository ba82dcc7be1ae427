/** What a review says of decisions. */
import { beforeAll, expect, test } from "vitest";
import type { ReviewedDecision } from "$lib/api/types";
import { start } from "$lib/i18n/index.svelte";
import { mainReason, opening, reasonsOf, spilt, whyOf } from "./words";

beforeAll(() => start());

test("a word begins with a capital letter, a square doesn't", () => {
    expect(opening("bonus on Lucky Lake")).toBe("Bonus on Lucky Lake");
    expect(opening("d2–a2")).toBe("d2–a2");
    expect(opening("2 on Fire Fields")).toBe("2 on Fire Fields");
    expect(opening("")).toBe("");
});

test("nothing better is not said where something was", () => {
    const reasons = [
        { code: "move_best", text: "", values: {} },
        { code: "move_better", text: "", values: {} },
    ];
    const decided = (loss: number) => reasonsOf({ reasons, loss } as unknown as ReviewedDecision);
    expect(decided(0.09).map(({ code }) => code)).toEqual(["move_better"]);
    expect(decided(0)).toHaveLength(2);
});

test("a list says what tells most, and not twice what is better", () => {
    const reasons = ["choice_better", "other_pasture", "higher_card", "own_more"].map((code) => ({
        code,
        text: "",
        values: {},
    }));
    const decided = { reasons, loss: 2 } as unknown as ReviewedDecision;
    expect(whyOf(decided).map(({ code }) => code)).toEqual(["higher_card", "own_more"]);
    expect(mainReason(decided)?.code).toBe("own_more");
    const compared = { reasons: reasons.slice(0, 3), loss: 2 } as unknown as ReviewedDecision;
    expect(mainReason(compared)).toBeUndefined();
});

test("pairs are told that brought less than they could", () => {
    const outcome = [
        { pasture: "A", card: "2M", cows: null, most: 2 },
        { pasture: "B", card: "3D", cows: 1, most: 3 },
        { pasture: "C", card: "2B", cows: 2, most: 2 },
    ];
    const told = spilt({ outcome } as unknown as ReviewedDecision, (name) => name);
    expect(told).toEqual(["A 2M: wasted", "B 3D: 1 of 3"]);
});
