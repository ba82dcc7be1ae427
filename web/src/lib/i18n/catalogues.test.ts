/** Every text exists in every language with the same values to fill in, and every text is used. */
import { describe, expect, it } from "vitest";
import { base, catalogues, english, FORM, slots, subject } from "./readCatalogues";

/** Keys that no source spells out, because the server names them. */
const DYNAMIC: RegExp[] = [];

/** No count at these tables is greater, so no language needs forms for more. */
const GREATEST_COUNT = 200;

const sources = import.meta.glob<string>(["/src/**/*.{svelte,ts}", "!/src/**/*.test.ts"], {
    eager: true,
    query: "?raw",
    import: "default",
});

const areas = [...new Set([...english.keys()].map((key) => key.split(".")[0]))].join("|");

/** The forms of a plural that a language tells apart. */
function forms(language: string): string[] {
    const rules = new Intl.PluralRules(language);
    const counts = Array.from({ length: GREATEST_COUNT + 1 }, (_, count) => rules.select(count));
    return [...new Set<string>(counts)].sort();
}

/** For each key without its plural's form: the values that its texts want filled in. */
function values(texts: Map<string, string>): Record<string, string[]> {
    const found: Record<string, Set<string>> = {};
    for (const [key, text] of texts) {
        const wanted = (found[base(key)] ??= new Set());
        for (const name of slots(text)) wanted.add(name);
    }
    return Object.fromEntries(Object.entries(found).map(([key, set]) => [key, [...set].sort()]));
}

describe.each([...catalogues])("the catalogue of %s", (language, texts) => {
    it("has the keys of the English one, and the same values to fill in", () => {
        expect(values(texts)).toEqual(values(english));
    });

    it("has every form of a plural that the language needs", () => {
        const plurals = new Set([...english.keys()].filter((key) => FORM.test(key)).map(base));
        const wrong = [...plurals].filter((key) => {
            const there = [...texts.keys()].filter((one) => FORM.test(one) && base(one) === key);
            return !forms(language).every((form) => there.includes(`${key}_${form}`));
        });
        expect(wrong).toEqual([]);
    });

    it("leaves no text empty", () => {
        expect([...texts].filter(([, text]) => text.trim() === "")).toEqual([]);
    });
});

/** Keys as sources spell them; what a template fills in stands for one name. */
function spelt(source: string): string[] {
    const plain = source.matchAll(new RegExp(`["']((?:${areas})\\.[\\w.-]+)["']`, "g"));
    const made = source.matchAll(
        new RegExp("`((?:" + areas + ")\\.(?:[^`$\\s]|\\$\\{[^}]*\\})+)`", "g"),
    );
    return [...plain, ...made].map(([, key]) => (key ?? "").replace(/\$\{[^}]*\}/g, "*"));
}

const used = [...new Set(Object.values(sources).flatMap(spelt))];
const keys = [...new Set([...english.keys()].map(subject))];
const pattern = (key: string) =>
    new RegExp(
        `^${key
            .split("*")
            .map((part) => part.replace(/[.\\-]/g, "\\$&"))
            .join("[^.]*")}(?:$|\\.)`,
    );

describe("the sources", () => {
    it("use keys that exist", () => {
        expect(used.filter((key) => !keys.some((one) => pattern(key).test(one)))).toEqual([]);
    });

    it("use every key", () => {
        const known = [...used.map(pattern), ...DYNAMIC];
        expect(keys.filter((key) => !known.some((one) => one.test(key)))).toEqual([]);
    });
});

/** The codes of Zoff's reasons, from the types that are made from the server's OpenAPI. */
function reasonCodes(): string[] {
    const schema = sources["/src/lib/api/schema.d.ts"] ?? "";
    const [, codes] = /\n {8}ZoffReason: \{[\s\S]*?\n {12}code: ([^;]+);/.exec(schema) ?? [];
    return [...(codes ?? "").matchAll(/"(\w+)"/g)].map(([, code]) => code ?? "");
}

describe.each([...catalogues])("the reasons in %s", (_, texts) => {
    it("have a text for every code that the server sends", () => {
        const known = new Set([...texts.keys()].map(base));
        const codes = reasonCodes();
        expect(codes).toContain("no_free_space");
        expect(codes.filter((code) => !known.has(`zoff.reason.${code}`))).toEqual([]);
    });
});
