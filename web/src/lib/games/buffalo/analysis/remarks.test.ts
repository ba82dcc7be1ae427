import { beforeAll, expect, test } from "vitest";
import { choose, LANGUAGES, start, type Language } from "$lib/i18n/index.svelte";
import type { Line, Remark } from "./engine.svelte";
import { favours, remarks, share, short, verdict } from "./remarks";

const SIDES = ["even", "slight", "clear", "winning", "forced"];
const SQUARES = { buffalo: "a3", to: "a2", dog: "a2", buffaloes: "a2 and c2", name: "columns-5" };
const COVER = { count: "11", blocked: "2", covered: "4", open: "7", free: "1" };
const REMARKS = [
    ...["crosses_now", "both_cross", "out_of_reach", "must_capture", "can_step"],
    ...["threatens_step", "offers", "pinned", "runner", "cover", "in_table", "in_certificate"],
];

const remark = (code: string, values: Record<string, string> = {}): Remark => ({
    code,
    values,
    text: `English ${code}`,
});

const line = (score: number, plies: number | null = null, code = "clear"): Line => ({
    move: "a7a6",
    score,
    plies_to_end: plies,
    verdict: remark(code, { side: "hunter" }),
    depth: 1,
    moves: ["a7a6"],
});

beforeAll(() => start("en"));

test.each(Object.keys(LANGUAGES) as Language[])("everything is said in %s", async (language) => {
    await choose(language);
    const said = [
        ...SIDES.map((code) => verdict(remark(code, { side: "buffalo", count: "3" }))),
        ...REMARKS.flatMap((code) => remarks([remark(code, { ...SQUARES, ...COVER })])),
    ];
    expect(said).toHaveLength(SIDES.length + REMARKS.length);
    for (const text of said) expect(text).not.toMatch(/\{\{|undefined|analysis\.|^English/);
    expect(new Set(said).size).toBe(said.length);
});

test("buffaloes of whom the same is said are named together", () => {
    const runners = ["a5", "k5"].map((buffalo) => remark("runner", { buffalo }));
    const [only, ...rest] = remarks(runners);
    expect(rest).toEqual([]);
    expect(only).toContain("a5");
    expect(only).toContain("k5");
});

test("a proof is told with its bound and with what it rests on", async () => {
    await choose("en");
    expect(verdict(remark("forced", { side: "hunter", count: "30" }))).toMatch(/at most 30 moves/);
    expect(remarks([remark("in_certificate", { name: "buffaloes-9" })])[0]).toContain(
        "buffaloes-9",
    );
});

test("what has no code yet is shown as the engine said it", () => {
    expect(remarks([remark("other")])).toEqual(["English other"]);
});

test("the bar leans to whoever stands better, whoever is to move", () => {
    expect(share("buffalo", line(300))).toBeGreaterThan(0.6);
    expect(share("hunter", line(300))).toBeLessThan(0.4);
    expect(share("hunter", line(29_990, 10))).toBe(0);
    expect(share("hunter", line(-29_990, -10))).toBe(1);
    expect(favours("hunter", line(-300))).toBe("buffalo");
    expect(favours("hunter", line(-10, null, "even"))).toBeNull();
});

test("a score is short", () => {
    expect(short(line(-140))).toBe("1.4");
    expect(short(line(29_991, 9))).toBe("#5");
});
