/** Correcting an edition: its values by their place, as the server names it (`pasture[3].capacity`), and their sources. */
import type { EditionData } from "$lib/api/types";

export const VALUES = ["2", "3", "4", "5"] as const;
export type CardValue = (typeof VALUES)[number];
export type Part = "cow_cards" | "two_player_extras";

export const copy = (data: EditionData): EditionData => structuredClone(data);

const PASTURE = /^pasture\[(\d+)\]\.(name|capacity|bonus)$/;
const LETTERS = /^(cow_cards|two_player_extras)\.([\w-]+)\.([2-5])$/;

/** The value at a place, as a text for a field. */
export function valueAt(data: EditionData, cell: string): string {
    const pasture = PASTURE.exec(cell);
    if (pasture) {
        const row = data.pasture[Number(pasture[1])];
        const value = row?.[pasture[2] as "name" | "capacity" | "bonus"];
        return Array.isArray(value) ? value.join("-") : String(value ?? "");
    }
    const letters = LETTERS.exec(cell);
    return letters
        ? (data[letters[1] as Part][letters[2]!]?.[letters[3] as CardValue] ?? "")
        : (data.edition[cell === "edition.id" ? "id" : "title"] ?? "");
}

/** Where the value at a place is known from: one word, or one for each letter. */
export function sourcesAt(data: EditionData, cell: string): string[] {
    const pasture = PASTURE.exec(cell);
    if (pasture) {
        const source = data.pasture[Number(pasture[1])]?.source;
        return source ? [source[pasture[2] as "name" | "capacity" | "bonus"]] : [];
    }
    const letters = LETTERS.exec(cell);
    return letters ? (data[letters[1] as Part][letters[2]!]?.source[letters[3]!] ?? []) : [];
}

/** The same data with another value there, which the owner has read off the box. What isn't a number stays a text. */
export function withValue(data: EditionData, cell: string, text: string): EditionData {
    const changed = copy(data);
    const pasture = PASTURE.exec(cell);
    const letters = LETTERS.exec(cell);
    if (pasture) {
        const row = changed.pasture[Number(pasture[1])]!;
        if (pasture[2] === "name") row.name = text.trim();
        else if (pasture[2] === "capacity") row.capacity = number(text);
        else
            row.bonus = text
                .split(/[^\d]+/)
                .filter(Boolean)
                .map(number);
    } else if (letters) {
        const cards = changed[letters[1] as Part][letters[2]!]!;
        cards[letters[3] as CardValue] = text.toUpperCase().replace(/\s+/g, "");
    } else {
        changed.edition[cell === "edition.id" ? "id" : "title"] = text.trim();
    }
    return withSources(changed, cell, () => "box");
}

/** A text that is no whole number becomes -1: the server names the place and what it expects there. */
const number = (text: string): number => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : -1);

/** The same data with other sources there; `choose` gets the number of the letter. */
export function withSources(
    data: EditionData,
    cell: string,
    choose: (index: number) => string,
): EditionData {
    const changed = copy(data);
    const pasture = PASTURE.exec(cell);
    const letters = LETTERS.exec(cell);
    if (pasture) {
        const row = changed.pasture[Number(pasture[1])]!;
        row.source[pasture[2] as "name" | "capacity" | "bonus"] = choose(0);
    } else if (letters) {
        const cards = changed[letters[1] as Part][letters[2]!]!;
        const count = (cards[letters[3] as CardValue] ?? "").length;
        cards.source[letters[3]!] = Array.from({ length: count }, (_, index) => choose(index));
    }
    return changed;
}

/** With or without the twelfth pasture and the sixth colour, which only six players need. */
export function withSix(data: EditionData, shipped: EditionData, six: boolean): EditionData {
    const changed = copy(data);
    changed.pasture = changed.pasture.slice(0, 11);
    const colours = Object.keys(changed.cow_cards).slice(0, 5);
    changed.cow_cards = Object.fromEntries(colours.map((name) => [name, changed.cow_cards[name]!]));
    if (!six) return changed;
    const last = Object.keys(shipped.cow_cards)[5]!;
    changed.pasture.push(copy(shipped).pasture[11]!);
    changed.cow_cards[last] = copy(shipped).cow_cards[last]!;
    return changed;
}

/** How many values are known from each source. */
export function countSources(data: EditionData): Record<string, number> {
    const counts: Record<string, number> = {};
    const cards = [...Object.values(data.cow_cards), ...Object.values(data.two_player_extras)];
    const all = [
        ...data.pasture.flatMap(({ source }) => [source.name, source.capacity, source.bonus]),
        ...cards.flatMap(({ source }) => Object.values(source).flat()),
    ];
    for (const source of all) counts[source] = (counts[source] ?? 0) + 1;
    return counts;
}

/** The field to which a fault belongs: `pasture[3].bonus[1]` to the field of `pasture[3].bonus`. */
export function fieldOf(cell: string): string {
    const found =
        /^(pasture\[\d+\]\.\w+|(?:cow_cards|two_player_extras)\.[\w-]+\.[2-5]|edition\.\w+)/.exec(
            cell,
        );
    return found?.[1] ?? "";
}
