import { describe, expect, it } from "vitest";
import { fitCows, fitForm, formFor, layOut, type Field, type Land } from "./parcels";

const CAPACITIES = [6, 8, 10, 12, 14, 16, 18, 21, 24, 28, 33, 20];
const RANKS = [2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 3];
const fields = (count: number): Field[] =>
    CAPACITIES.slice(0, count).map((capacity, index) => ({ capacity, ranks: RANKS[index] ?? 3 }));

const SIZES: [name: string, width: number, height: number][] = [
    ["desktop", 1280, 600],
    ["large", 1920, 820],
    ["phone", 390, 600],
    ["small phone", 360, 440],
    ["phone on its side", 560, 340],
];

const lay = (count: number, width: number, height: number): Land =>
    layOut(fields(count), width, height, formFor(width, height));

describe.each(SIZES)("on a %s", (_name, width, height) => {
    it.each([7, 9, 10, 11, 12])("%i pastures fill the land and don't overlap", (count) => {
        const land = lay(count, width, height);
        expect(land.parcels).toHaveLength(count);
        expect(land.height).toBeGreaterThanOrEqual(height - 1);
        for (const [index, { box }] of land.parcels.entries()) {
            expect(box.x).toBeGreaterThanOrEqual(0);
            expect(box.y).toBeGreaterThanOrEqual(0);
            expect(box.x + box.width).toBeLessThanOrEqual(width);
            expect(box.y + box.height).toBeLessThanOrEqual(land.height);
            expect(box.width).toBeGreaterThan(80);
            expect(box.height).toBeGreaterThan(70);
            for (const other of land.parcels.slice(index + 1)) {
                const apart =
                    box.x + box.width <= other.box.x ||
                    other.box.x + other.box.width <= box.x ||
                    box.y + box.height <= other.box.y;
                expect(apart).toBe(true);
            }
        }
    });

    it("pastures keep their order, row by row", () => {
        const { parcels } = lay(11, width, height);
        const sorted = [...parcels].sort((a, b) => a.row - b.row || a.box.x - b.box.x);
        expect(parcels).toEqual(sorted);
    });
});

it("a phone shows all pastures of five players without scrolling", () => {
    expect(lay(11, 390, 600).height).toBeLessThanOrEqual(600.5);
    expect(lay(11, 360, 440).height).toBeLessThanOrEqual(440.5);
});

it.each([
    [10, 745, 520],
    [12, 745, 520],
    [12, 720, 440],
])("%i pastures are in sight at once on %i × %i, beside a review", (count, width, height) => {
    const form = fitForm(fields(count), width, height);
    expect(layOut(fields(count), width, height, form).height).toBeLessThanOrEqual(height + 1);
});

it("a large screen keeps large fields", () => {
    expect(fitForm(fields(11), 1280, 600)).toBe(formFor(1280, 600));
});

it("a river flows between two rows and has a bridge", () => {
    const { river, bridge, parcels } = lay(11, 1280, 600);
    expect(river.length).toBeGreaterThan(2);
    expect(bridge).not.toBeNull();
    for (const { y } of river) {
        expect(parcels.some(({ box }) => y > box.y && y < box.y + box.height)).toBe(false);
    }
});

it("land without a height grows until every field has its least", () => {
    const land = lay(12, 360, 10);
    expect(land.height).toBeGreaterThan(300);
});

it("cows are as large as the field allows, and all of them fit", () => {
    for (const [width, height, count] of [
        [200, 60, 14],
        [95, 40, 33],
        [400, 200, 6],
        [90, 8, 28],
    ] as const) {
        const { columns, size } = fitCows({ width, height }, count, { largest: 44, ratio: 0.75 });
        expect(size).toBeLessThanOrEqual(44);
        expect(size).toBeGreaterThan(0);
        expect(columns * size).toBeLessThanOrEqual(width + 0.01);
        expect(Math.ceil(count / columns) * size * 0.75).toBeLessThanOrEqual(height + 0.5);
    }
});

describe("land that becomes higher or lower", () => {
    const rowsIn = (land: Land): number[] => land.parcels.map(({ row }) => row);
    const PHONE_WIDTH = 390;

    it.each([7, 9, 10, 11, 12])("keeps the rows of %i pastures while they fit", (count) => {
        const heights = [500, 404, 430, 504];
        let land: Land | null = null;
        for (const height of heights) {
            const form = formFor(PHONE_WIDTH, height);
            const next: Land = layOut(fields(count), PHONE_WIDTH, height, form, land);
            expect(next.height).toBeLessThanOrEqual(height + 0.5);
            if (land) expect(rowsIn(next)).toEqual(rowsIn(land));
            land = next;
        }
    });

    it("takes other rows where they don't fit any more, and for another width", () => {
        const form = formFor(PHONE_WIDTH, 600);
        const high = layOut(fields(12), PHONE_WIDTH, 600, form);
        const low = layOut(fields(12), PHONE_WIDTH, 300, formFor(PHONE_WIDTH, 300), high);
        expect(rowsIn(low)).toEqual(rowsIn(lay(12, PHONE_WIDTH, 300)));
        const wide = layOut(fields(12), 1280, 600, formFor(1280, 600), high);
        expect(rowsIn(wide)).toEqual(rowsIn(lay(12, 1280, 600)));
    });
});
