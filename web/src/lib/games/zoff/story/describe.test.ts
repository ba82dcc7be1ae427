import { beforeAll, describe, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import type { Cast } from "../view";
import { SAMPLE_EVENTS, sampleTable, sampleView } from "../sample";
import { describeStep, won } from "./describe";
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
        expect(told(at("precedence")).why[0]).toBe("1. Anna: already a herd of 1 here (Z4.2)");
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

/** The table as the player of a seat reads it; as a replay, or several who share a device, by default. */
const seenBy = (self: number | null = null): Cast => ({ ...sampleTable(), self });
const texts = (cast: Cast, ...shown: number[]) =>
    shown.map((at) => describeStep(cast, steps[at - 1]!).text);

describe("a sentence about the reader", () => {
    const shown = () => [at("precedence"), at("placed"), at("placed", 1), at("filled", 1)];

    it.each([
        [
            "en",
            "Small: you go first.",
            "You place 2 cows on Small: herd of 3.",
            "Ben places 1 cow on Small: herd of 1.",
            "Middle is full! You covered the last space.",
        ],
        [
            "fr",
            "Small : vous passez en premier.",
            "Vous posez 2 vaches sur Small : troupeau de 3.",
            "Ben pose 1 vache sur Small : troupeau de 1.",
            "Middle est plein ! Vous avez occupé la dernière place.",
        ],
        [
            "de",
            "Small: Du bist zuerst dran.",
            "Du setzt 2 Kühe auf Small: Herde von 3.",
            "Ben setzt 1 Kuh auf Small: Herde von 1.",
            "Middle ist voll! Den letzten Platz besetzt du.",
        ],
        [
            "it",
            "Small: cominci tu.",
            "Piazzi 2 mucche su Small: mandria di 3.",
            "Ben piazza 1 mucca su Small: mandria di 1.",
            "Middle è pieno! Tu hai occupato l’ultimo spazio.",
        ],
        [
            "nl",
            "Small: jij begint.",
            "Jij zet 2 koeien op Small: kudde van 3.",
            "Ben zet 1 koe op Small: kudde van 1.",
            "Middle is vol! Jij bezette de laatste plaats.",
        ],
    ] as const)("is in the second person in %s", async (language, ...told) => {
        await start(language);
        const plain = texts(seenBy(0), ...shown()).map((text) =>
            text.replace(/[\u202f\u00a0]/g, " "),
        );
        expect(plain).toEqual(told);
    });

    it("has the name for everybody else, in replays and on shared devices", async () => {
        await start("en");
        for (const reader of [1, null]) {
            expect(texts(seenBy(reader), at("placed"))).toEqual([
                "Anna places 2 cows on Small: herd of 3.",
            ]);
        }
        expect(describeStep(seenBy(1), steps[at("precedence") - 1]!).why[1]).toMatch(/^2\. You: /);
    });

    it("says with which of two colours", async () => {
        await start("en");
        const seats = sampleView().seats.map((seat) => ({ ...seat, colours: ["orange", "blue"] }));
        const cast: Cast = { ...seenBy(0), view: sampleView({ seats }) };
        expect(texts(cast, at("precedence"), at("placed"))).toEqual([
            "Small: you (orange) go first.",
            "You (orange) place 2 cows on Small: herd of 3.",
        ]);
    });

    it("shares a victory with the others", async () => {
        await start("en");
        const told = (self: number | null, ...winners: number[]) =>
            won(seenBy(self), "zoff.result.won", winners);
        expect(told(0, 0)).toBe("You won!");
        expect(told(1, 0)).toBe("Anna wins!");
        expect(told(0, 0, 2)).toBe("You share the victory with Cleo.");
        expect(told(null, 0, 2)).toBe("A shared victory: Anna and Cleo");
    });
});
