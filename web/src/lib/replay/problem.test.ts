/** What is wrong with a record is said with its place, in every language. */
import { beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "$lib/api/client";
import { choose, isLanguage, LANGUAGES, start } from "$lib/i18n/index.svelte";
import { NoRecord } from "./load";
import { faultText, problemText } from "./problem";

/** The codes of the server with what each comes with: src/stampede/core/replay.py. */
const OUTSIDE = ["no_result", "result", "game", "rules", "start", "seats", "format"];
const AT_STEPS = ["altered", "illegal", "turn", "over", "missing", "differs"];
const MORE = ["unreadable", "unfinished"];
const VALUES = { key: "winner", expected: "EXPECTED", got: "GOT", seats: "1, 2" };

beforeAll(() => start("en"));

const refused = (fault: Parameters<typeof faultText>[0] | null) =>
    new Refusal(422, { error: "wrong_record", message: "ENGLISH", fault });

describe.each(Object.keys(LANGUAGES).filter(isLanguage))("in %s", (language) => {
    it("every fault has its words, and those of steps have their place", async () => {
        await choose(language);
        const fault = { clause: "B2.2", values: VALUES };
        const told = [...AT_STEPS, ...MORE].map((code) => faultText({ ...fault, code, step: 4 }));
        expect(told.filter((text) => !/\b5\b/.test(text))).toEqual([]);
        expect(told[1]).toContain("(B2.2)");
        const others = OUTSIDE.map((code) => faultText({ ...fault, code, step: null }));
        const all = [...told, ...others].map((text) => text + problemText(new NoRecord("")));
        expect(new Set(all).size).toBe(all.length);
        expect(all.filter((text) => /replay\.|\{\{/.test(text))).toEqual([]);
        expect(others[1]).toMatch(/EXPECTED|GOT/);
    });
});

it("a fault that this page doesn't know yet is told in the server's words", async () => {
    await choose("en");
    const unknown = { code: "new", step: 1, clause: null, values: {} };
    expect(problemText(refused(unknown))).toContain("ENGLISH");
    expect(problemText(refused(null))).toContain("ENGLISH");
    const known = { code: "turn", step: 0, clause: null, values: {} };
    expect(problemText(refused(known))).toContain("Step 1: ");
});
