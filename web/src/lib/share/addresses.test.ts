import { describe, expect, it } from "vitest";
import { sharedPuzzle, sharedReplay, sharedTable } from "./addresses";

const TABLE = "A".repeat(22);

describe("what is shared", () => {
    it("is a table's link without a token, and its pictures", () => {
        const found = sharedTable(TABLE, "https://x.example");
        expect(found.link).toBe(`https://x.example/t/${TABLE}`);
        expect(found.pictures.card).toBe(`/api/pictures/tables/${TABLE}.png?style=card&lang=en`);
        expect(found.embed).toBeNull();
    });

    it("is the puzzle of a day, with a picture of the puzzle itself", () => {
        const found = sharedPuzzle("2026-11-10", 42, "https://x.example");
        expect(found.link).toBe("https://x.example/puzzles/daily/2026-11-10");
        expect(found.pictures.board).toBe("/api/pictures/puzzles/42.svg?style=board");
        expect(found.embed).toBeNull();
    });

    it("is a step of a game, by the replay's count and by the server's", () => {
        const found = sharedReplay(TABLE, 2, 7, 5, "https://x.example");
        expect(found.link).toBe(`https://x.example/replay/${TABLE}/2?at=7&step=5`);
        expect(found.pictures.board).toBe(
            `/api/pictures/tables/${TABLE}.svg?game=2&step=5&style=board`,
        );
        expect(found.embed).toContain(`src="https://x.example/embed/${TABLE}/2?at=7&amp;step=5"`);
    });
});
