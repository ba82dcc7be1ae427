import { describe, expect, it } from "vitest";
import { sampleChoose } from "../sample";
import type { Pasture } from "../view";
import { ActionDraft } from "./draft.svelte";

const pasture = (name: string, free: number): Pasture =>
    ({ name, free, capacity: 10, bonus: [1], herds: {} }) as unknown as Pasture;

describe("cows that a pair can place", () => {
    const pastures = [pasture("Small", 3), pasture("Large", 9)];
    const legal = sampleChoose({ pastures: ["Small", "Large"], cards: ["2B", "5Y"] });
    const drafting = (): ActionDraft => {
        const draft = new ActionDraft();
        draft.choice.setUp(legal, "1");
        return draft;
    };

    it("are as many as the card says, and no more than there is room for", () => {
        const draft = drafting();
        draft.choice.pair("Large", "2B");
        draft.choice.pair("Small", "5Y");
        expect(Object.fromEntries(draft.ghosts(legal, pastures, "green"))).toEqual({
            "Large/green": 2,
            "Small/green": 3,
        });
    });

    it("never make a herd as large as another one", () => {
        const tied = {
            ...legal,
            forecast: {
                Large: {
                    green: { order: ["blue", "green"], by: "card", taken: { blue: 5, pink: 4 } },
                },
            },
        } as typeof legal;
        const draft = drafting();
        draft.choice.pair("Large", "5Y");
        expect(draft.ghosts(tied, pastures, "green").get("Large/green")).toBe(3);
    });

    it("are none before a pair is whole", () => {
        const draft = drafting();
        draft.choice.tapPasture("Large");
        expect(draft.ghosts(legal, pastures, "green").size).toBe(0);
        draft.choice.tapCard("5Y");
        expect(draft.ghosts(legal, pastures, "green").get("Large/green")).toBe(5);
    });
});
