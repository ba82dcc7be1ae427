/** Ids of clauses are found in texts, and the rules' marks are read. */
import { describe, expect, it } from "vitest";
import { anchorOf, clausesIn, piecesOf, plainText } from "./inline";

describe("a text of the table", () => {
    it("has its clauses as pieces of their own", () => {
        expect(clausesIn("Not 2: green has that size (Z4.4).")).toEqual([
            { kind: "text", text: "Not 2: green has that size (" },
            { kind: "clause", id: "Z4.4" },
            { kind: "text", text: ")." },
        ]);
    });

    it.each(["", "5 of 14", "a7a6", "Z4", "version 1.5", "XZ4.4"])("%s names no clause", (text) => {
        expect(clausesIn(text).some(({ kind }) => kind === "clause")).toBe(false);
    });
});

describe("a text of the rules", () => {
    it("has bold, emphasis, code, links and clauses", () => {
        const text = "**Ruling:** *option* `4M`, see [the cascade](#cascade) and Z11.4";
        expect(piecesOf(text).filter(({ kind }) => kind !== "text")).toEqual([
            { kind: "strong", text: "Ruling:" },
            { kind: "em", text: "option" },
            { kind: "code", text: "4M" },
            { kind: "link", text: "the cascade", href: "#cascade" },
            { kind: "clause", id: "Z11.4" },
        ]);
        expect(plainText(text)).toBe("Ruling: option 4M, see the cascade and Z11.4");
    });

    it("gives a clause its anchor", () => {
        expect(anchorOf("Z4.4")).toBe("z4-4");
    });
});
