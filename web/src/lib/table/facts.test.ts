/** What lists, invitations and the bar say about a table. */
import { beforeAll, expect, test } from "vitest";
import type { GameInfo } from "$lib/api/types";
import { sampleGame } from "$lib/games/sample";
import { start } from "$lib/i18n/index.svelte";
import { CLOCKS } from "$lib/create/clocks";
import { factsOf } from "./facts";

const OPTION = { text: "", clause: "", minimum: null, maximum: null, choices: [], handicap: false };
const OPTIONS = [
    { ...OPTION, name: "auction", kind: "flag", default: false },
    { ...OPTION, name: "opening_moves", kind: "number", default: 1, handicap: true },
] as unknown as GameInfo["options"];
const INFO = sampleGame("zoff", { options: OPTIONS, series: ["rematch", "ladder"] });
const PLAIN = { game: "zoff", rules: {}, series: "rematch", clock: { kind: "none" }, rated: false };

beforeAll(() => start("en"));

test("an ordinary table has few facts", () => {
    expect(factsOf(PLAIN, INFO)).toEqual(["no clock"]);
});

test("clock, rating, series, variants and handicap are told", () => {
    const table = {
        ...PLAIN,
        rules: { auction: true, opening_moves: 3 },
        series: "ladder",
        clock: CLOCKS["move30"] ?? {},
        rated: true,
    };
    expect(factsOf(table, INFO)).toEqual([
        "30 seconds a decision",
        "rated",
        "the ladder: a handicap after each game",
        "Auction",
        "with handicap",
    ]);
});

test("a clock that the form doesn't offer is told, too", () => {
    const clock = { kind: "move", limit_ms: 12_345 };
    expect(factsOf({ ...PLAIN, clock }, INFO)).toEqual(["with clock"]);
});
