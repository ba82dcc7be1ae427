import { describe, expect, it } from "vitest";
import { sampleChoose } from "../sample";
import type { ChooseLegal } from "../view";
import { Choice } from "./choice.svelte";

describe("choosing", () => {
    const legal = sampleChoose({
        pastures: ["Small", "Middle", "Large"],
        cards: ["2B", "3D", "4M"],
    });
    const choosing = (changes: Partial<ChooseLegal> = {}): Choice => {
        const choice = new Choice();
        choice.setUp({ ...legal, ...changes }, "1");
        return choice;
    };

    it("fills pair after pair, or pastures first and cards then", () => {
        for (const order of ["Small 2B Large 3D", "Small Large 2B 3D", "2B Small 3D Large"]) {
            const choice = choosing();
            for (const what of order.split(" ")) {
                if (legal.cards.includes(what)) choice.tapCard(what);
                else choice.tapPasture(what);
            }
            expect(choice.json().pairs).toEqual([
                ["Small", "2B"],
                ["Large", "3D"],
            ]);
        }
    });

    it("takes a second tap back", () => {
        const choice = choosing();
        choice.tapPasture("Small");
        choice.tapPasture("Small");
        expect(choice.slots[0]?.pasture).toBeNull();
    });

    it("takes a card dropped on a pasture, and never uses it twice", () => {
        const choice = choosing();
        choice.pair("Middle", "4M");
        choice.pair("Large", "4M");
        expect(choice.slots.map((slot) => slot.card)).toEqual([null, "4M"]);
    });

    it("lays a pair for each colour (Z10.4)", () => {
        const choice = choosing({ colours: ["blue", "green"] });
        choice.pair("Middle", "4M");
        choice.pair("Large", "2B");
        expect(choice.json().pairs).toEqual([
            ["Middle", "4M", "blue"],
            ["Large", "2B", "green"],
        ]);
    });

    it("needs only cards when a single pasture is open (Z3.3, Z10.5)", () => {
        const choice = choosing({ pastures: ["Large"], pairs: 1 });
        choice.tapCard("3D");
        expect(choice.complete).toBe(true);
        expect(choice.json().pairs).toEqual([["Large", "3D"]]);
    });

    it("keeps what is put together while the same is asked", () => {
        const choice = choosing();
        choice.tapPasture("Small");
        choice.setUp(legal, "1");
        expect(choice.slots[0]?.pasture).toBe("Small");
        choice.setUp(legal, "2");
        expect(choice.slots[0]?.pasture).toBeNull();
    });
});

describe("pairs by keys, and after a reload", () => {
    const legal = sampleChoose({
        pastures: ["a", "b", "c"],
        cards: ["2B", "5A", "5B"],
    });
    const begun = (): Choice => {
        const choice = new Choice();
        choice.setUp(legal, "1/choose");
        return choice;
    };

    it("takes a card by its value, and the next one of that value when asked again", () => {
        const choice = begun();
        choice.tapValue("5", legal.cards);
        expect(choice.slots[0]?.card).toBe("5A");
        choice.tapValue("5", legal.cards);
        expect(choice.slots[0]?.card).toBe("5B");
        choice.tapValue("7", legal.cards);
        expect(choice.slots[0]?.card).toBe("5B");
    });

    it("never gives one card to two pairs", () => {
        const choice = begun();
        choice.tapPasture("a");
        choice.tapValue("5", legal.cards);
        choice.tapValue("5", legal.cards);
        expect(choice.slots.map((slot) => slot.card)).toEqual(["5A", "5B"]);
    });

    it("empties the pair that was filled last", () => {
        const choice = begun();
        choice.tapPasture("a");
        choice.tapCard("2B");
        choice.clear();
        expect(choice.slots[0]).toMatchObject({ pasture: null, card: null });
    });

    it("takes a draft up again for the same decision only, and only what is possible", () => {
        const before = begun();
        before.tapPasture("b");
        before.tapCard("5A");
        const again = begun();
        again.takeUp(before.draft(), legal);
        expect(again.json()).toEqual(before.json());
        const later = new Choice();
        later.setUp(legal, "2/choose");
        later.takeUp(before.draft(), legal);
        expect(later.slots[0]).toMatchObject({ pasture: null, card: null });
        const other = begun();
        other.takeUp(before.draft(), { ...legal, pastures: ["a", "c"] });
        expect(other.slots[0]).toMatchObject({ pasture: null, card: null });
    });
});
