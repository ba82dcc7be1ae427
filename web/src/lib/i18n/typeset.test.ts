import { expect, test } from "vitest";
import { typeset, typesetAll } from "./typeset";

test("French has narrow no-break spaces before double signs and within guillemets", () => {
    expect(typeset("fr", "Prêt ? « Oui » : l'autre ; 95 %")).toBe(
        "Prêt\u202f? «\u202fOui\u202f»\u202f: l’autre\u202f; 95\u202f%",
    );
    expect(typesetAll("fr", { a: { b: "Non !" } })).toEqual({ a: { b: "Non\u202f!" } });
});

test("other languages keep their spaces, and signs that aren't apostrophes stay", () => {
    expect(typeset("it", "l'ultimo, un po' : - _ . '")).toBe("l’ultimo, un po’ : - _ . '");
    expect(typeset("en", "isn't it ?")).toBe("isn't it ?");
});
