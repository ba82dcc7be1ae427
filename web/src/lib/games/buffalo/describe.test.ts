import { beforeAll, describe, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import { describeEvent, describeResult } from "./describe";

const [BUFFALO, HUNTER] = [0, 1];

describe("a result", () => {
    beforeAll(() => start("en"));

    it("is told in the second person to the winner and to the loser", () => {
        const result = { winner: HUNTER, reason: "resigned" };
        expect(describeResult(result, HUNTER)).toBe("You win: the other side resigned.");
        expect(describeResult(result, BUFFALO)).toBe("The hunter wins: you resigned.");
        expect(describeResult(result, null)).toBe("The hunter wins: the other side resigned.");
    });
});

it("the piece that blocks has the article of its language", async () => {
    await start("nl");
    const told = (by: "dog" | "chief") =>
        describeEvent({
            kind: "blocked",
            by,
            at: "e4",
            square: "e5",
            reason: { code: "piece_in_front", clause: "B2.5" },
        });
    expect(told("chief")).toMatch(/^Het opperhoofd /);
    expect(told("dog")).toMatch(/^De hond /);
});
