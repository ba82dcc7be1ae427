import { beforeAll, describe, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import { bonusRefusals, outlooks, pairNotes, whyNot } from "./forecast";
import { sampleChoose } from "./sample";
import { why } from "./story/describe";
import type { BonusLegal, ChooseLegal, Pasture, Reason } from "./view";

describe("what the server's legal actions say", () => {
    beforeAll(() => start("en"));

    const equal: Reason = { code: "equal_herd", clause: "Z5.3", size: 2, colour: "blue" };
    const full: Reason = { code: "no_space", clause: "Z5.3", free: 1 };
    const pasture = (name: string, free: number): Pasture => ({
        name,
        capacity: 10,
        bonus: [],
        free,
        herds: {},
    });

    it("tells why a bonus cow can't go to an open pasture, cow by cow", () => {
        const bonus: BonusLegal = {
            type: "bonus",
            from: "full",
            kind: "rank",
            colour: "green",
            cows: 2,
            least: 0,
            below: null,
            on: [[], ["open"], ["narrow", "open"], ["open", "open"]],
            refused: [
                { pastures: ["equal", "full"], cows: [1], reason: equal },
                { pastures: ["narrow"], cows: [2], reason: full },
            ],
        };
        const pastures = [
            pasture("full", 0),
            pasture("open", 3),
            pasture("narrow", 1),
            pasture("equal", 3),
        ];
        const told = bonusRefusals(pastures, bonus, []);
        expect([...told]).toEqual([["equal", why(equal)]]);
        expect([...bonusRefusals(pastures, bonus, ["narrow"]).keys()]).toEqual(["narrow", "equal"]);
        expect(bonusRefusals(pastures, bonus, ["open", "open"]).size).toBe(0);
    });

    it("says why a pasture can't be chosen when it is tried", () => {
        const reason: Reason = { code: "no_free_space", clause: "Z3.2" };
        const choose = sampleChoose({ refused: [{ names: ["Small"], reason }] });
        expect(whyNot(choose, [], pasture("Small", 0))).toBe(
            "Small: there is no free space (Z3.2).",
        );
        expect(whyNot(choose, [], pasture("Large", 3))).toBe("Large: not now.");
        const bonus: BonusLegal = {
            type: "bonus",
            from: "full",
            kind: "rank",
            colour: "green",
            cows: 2,
            least: 0,
            below: null,
            on: [["open"]],
            refused: [{ pastures: ["equal"], cows: [2], reason: equal }],
        };
        const tried = (on: string[]) => whyNot(bonus, on, pasture("equal", 3));
        expect(tried(["equal"])).toBe("equal: blue already has a herd of 2 (Z5.3).");
        expect(tried([])).toBe("equal: not now.");
        expect(whyNot(bonus, [], pasture("full", 0))).toBe("full: there is no free space.");
    });

    it("gives the outlook on a pasture, by colour", () => {
        const choose = sampleChoose({
            forecast: {
                Large: {
                    orange: {
                        order: ["pink", "orange", "green"],
                        by: "herd",
                        taken: { pink: 5, blue: 4 },
                    },
                },
            },
        });
        expect(outlooks(choose, "Large")).toEqual([
            {
                colour: "orange",
                taken: [
                    { colour: "blue", size: 4 },
                    { colour: "pink", size: 5 },
                ],
                before: ["pink"],
                behind: ["green"],
                byHerd: true,
            },
        ]);
        expect(outlooks(choose, "Small")).toEqual([]);
        expect(outlooks({ type: "none" }, "Large")).toEqual([]);
    });

    it("warns of a tie in words, and says how large a herd gets", () => {
        const forecast = {
            Small: { orange: { order: ["orange"], by: "card", taken: { green: 4 } } },
        };
        const legal = sampleChoose({ forecast } as Partial<ChooseLegal>);
        const field = { ...pasture("Small", 6), herds: { orange: 2, green: 4 } };
        const notes = (card: string) =>
            pairNotes([field], legal, [{ pasture: "Small", card, colour: null }]);
        expect(notes("2B")[0]).toContain("you'd tie with green");
        expect(notes("3D")).toEqual(["3D on Small: up to a herd of 5."]);
        expect(pairNotes([field], legal, [{ pasture: "Small", card: null, colour: null }])).toEqual(
            [],
        );
    });
});
