/** The picture of the board: squares lie where they are touched, and pieces keep their names as they move. */
import { describe, expect, it } from "vitest";
import { CELL, centre, FILES, follow, MARGIN, pieces, RANKS, squareAt, step } from "./board";

const START = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1";
const squares = RANKS.flatMap((rank) => [...FILES].map((file) => `${file}${rank}`));

describe.each([false, true])("squares, flipped: %s", (flip) => {
    it.each(squares)("%s is found at its middle and just inside its edges", (square) => {
        const { x, y } = centre(square, flip);
        const edge = CELL / 2 - 1;
        expect(squareAt(x, y, flip)).toBe(square);
        expect(squareAt(x - edge, y + edge, flip)).toBe(square);
        expect(squareAt(x + edge, y - edge, flip)).toBe(square);
    });

    it("don't reach into the margin or the rivers", () => {
        const bank = centre("f7", flip);
        const river = bank.y + (flip ? -1 : 1) * (CELL / 2 + 3);
        expect(squareAt(MARGIN / 2, bank.y, flip)).toBeNull();
        expect(squareAt(bank.x, river, flip)).toBeNull();
    });

    it("are left by an arrow key towards where it points", () => {
        const from = centre("f4", flip);
        const to = (key: string) => centre(step("f4", key, flip), flip);
        expect(to("ArrowLeft")).toEqual({ x: from.x - CELL, y: from.y });
        expect(to("ArrowRight")).toEqual({ x: from.x + CELL, y: from.y });
        expect(to("ArrowUp")).toEqual({ x: from.x, y: from.y - CELL });
        expect(to("ArrowDown")).toEqual({ x: from.x, y: from.y + CELL });
    });

    it("are never left beyond the board", () => {
        for (const square of squares) {
            for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Tab"]) {
                expect(squares).toContain(step(square, key, flip));
            }
        }
    });
});

describe("pieces", () => {
    it("are read from a FEN", () => {
        const found = pieces(START);
        const count = (kind: string) => found.filter((piece) => piece.kind === kind).length;
        expect([count("buffalo"), count("chief"), count("dog")]).toEqual([11, 1, 4]);
        expect(found.find((piece) => piece.kind === "chief")?.square).toBe("f2");
    });

    const start = follow([], START, null);
    const name = (list: typeof start, square: string) =>
        list.find((piece) => piece.square === square)?.id;

    it("keep their names when one of them moves", () => {
        const after = follow(start, "1bbbbbbbbbb/b10/11/11/11/3DDCDD3/11 h - - 0 1", "a7a6");
        expect(name(after, "a6")).toBe(name(start, "a7"));
        for (const piece of start.filter((one) => one.square !== "a7")) {
            expect(name(after, piece.square)).toBe(piece.id);
        }
    });

    it("keep their names when one is captured", () => {
        const before = follow([], "bbbbbbbbbbb/11/11/11/5b5/3DDCDD3/11 h - - 0 1", null);
        const after = follow(before, "bbbbbbbbbbb/11/11/11/5C5/3DD1DD3/11 b - - 0 1", "f2f3");
        expect(name(after, "f3")).toBe(name(before, "f2"));
        expect(after.length).toBe(before.length - 1);
    });

    it("go home under their names when a move is taken back", () => {
        const after = follow(start, "1bbbbbbbbbb/b10/11/11/11/3DDCDD3/11 h - - 0 1", "a7a6");
        const back = follow(after, START, null);
        expect(name(back, "a7")).toBe(name(start, "a7"));
    });

    it("have names of their own, wherever a game jumps to", () => {
        const far = follow(start, "11/bbbbbbbbbbb/11/D9D/11/3D1C1D3/11 b - - 0 1", null);
        const back = follow(far, START, "b6b7");
        for (const list of [far, back]) {
            expect(new Set(list.map((piece) => piece.id)).size).toBe(list.length);
        }
    });
});
