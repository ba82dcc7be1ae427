/** A corrected value stands where it was corrected, is marked as read off the box, and faults find their field. */
import { expect, test } from "vitest";
import type { EditionData } from "$lib/api/types";
import { countSources, fieldOf, sourcesAt, valueAt, withSix, withSources, withValue } from "./box";

const source = { name: "seed", capacity: "public", bonus: "reconstructed" };
const letters = (text: string) => ({
    "2": text,
    "4": text,
    source: { "2": ["seed", "reconstructed"], "4": ["reconstructed", "reconstructed"] },
});
const data: EditionData = {
    edition: { id: "test", title: "Test" },
    pasture: Array.from({ length: 12 }, (_, index) => ({
        name: `P${index}`,
        capacity: index + 2,
        bonus: [1, 2],
        source: { ...source },
    })),
    cow_cards: Object.fromEntries(
        ["a", "b", "c", "d", "e", "f"].map((one) => [one, letters("XY")]),
    ),
    two_player_extras: { a: letters("ZW") },
};

test.each([
    ["pasture[3].name", "New Name", "New Name"],
    ["pasture[3].capacity", " 20", "20"],
    ["pasture[3].capacity", "many", "-1"],
    ["pasture[3].bonus", "1 - 2, 3", "1-2-3"],
    ["cow_cards.b.4", "q r", "QR"],
    ["two_player_extras.a.2", "k", "K"],
    ["edition.id", " mine ", "mine"],
    ["edition.title", "My box", "My box"],
])("%s takes %j", (cell, text, value) => {
    const changed = withValue(data, cell, text);
    expect(valueAt(changed, cell)).toBe(value);
    expect(new Set(sourcesAt(changed, cell))).toEqual(
        new Set(cell.startsWith("edition") ? [] : ["box"]),
    );
    expect(valueAt(data, cell)).not.toBe(value);
});

test("confirming a value counts it as read off the box", () => {
    const before = countSources(data);
    const after = countSources(withSources(data, "cow_cards.a.2", () => "box"));
    expect([before["box"] ?? 0, after["box"]]).toEqual([0, 2]);
    expect(after["reconstructed"]).toBe(before["reconstructed"]! - 1);
});

test("the data for six players goes and comes back as one", () => {
    const five = withSix(data, data, false);
    expect([five.pasture.length, Object.keys(five.cow_cards).length]).toEqual([11, 5]);
    expect(withSix(five, data, true)).toEqual(data);
});

test.each([
    ["pasture[3].bonus[1]", "pasture[3].bonus"],
    ["pasture[11].capacity", "pasture[11].capacity"],
    ["cow_cards.pink.4", "cow_cards.pink.4"],
    ["edition.id", "edition.id"],
    ["pasture", ""],
    ["file", ""],
])("a fault at %s belongs to the field %j", (cell, field) => {
    expect(fieldOf(cell)).toBe(field);
});
