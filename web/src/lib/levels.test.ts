import { beforeAll, expect, test } from "vitest";
import { offeredTemperaments, strength, temperamentText } from "./levels";
import { sampleGame } from "./games/sample";
import { start } from "./i18n/index.svelte";

const info = sampleGame("zoff", {
    temperaments: { "zoff-3": ["balanced", "spoiler"], "zoff-4": ["balanced", "farmer"] },
});

beforeAll(() => start("en"));

test("temperaments are offered once each, and only for levels at the table that have them", () => {
    expect(offeredTemperaments([null, "zoff-1", "random"], info)).toEqual([]);
    expect(offeredTemperaments(["zoff-3", null, "zoff-3"], info)).toEqual(["balanced", "spoiler"]);
    expect(offeredTemperaments(["zoff-3", "zoff-4"], info)).toEqual([
        "balanced",
        "spoiler",
        "farmer",
    ]);
    expect(offeredTemperaments(["zoff-3"], undefined)).toEqual([]);
});

test("a bot's temperament stands beside its level, and people have none", () => {
    const bot = { name: "zoff-3", kind: "bot", level: "zoff-3" };
    expect(strength({ ...bot, temperament: "spoiler" })).toBe("Ranch Hand, spoiler");
    expect(strength({ ...bot, temperament: null })).toBe("Ranch Hand");
    expect(strength({ name: "Ann", kind: "human", level: null })).toBe("");
    expect(temperamentText("spoiler")).toContain("leader");
    expect(temperamentText(null)).toBe("");
});
