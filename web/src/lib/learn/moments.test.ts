/** The coach's moments: due when their conditions hold, and each with a text. */
import { beforeAll, describe, expect, it } from "vitest";
import { gameClient, GAME_NAMES } from "$lib/games";
import { has, loadArea, start } from "$lib/i18n/index.svelte";
import { isDue, lookUp, type Moment } from "./moments";

beforeAll(async () => {
    await start("en");
    await loadArea("learn");
});

const moment = (when: Moment["when"]): Moment => ({ name: "x", on: "event", when });
const event = {
    kind: "precedence",
    turns: [{ seat: 2, reason: { code: "has_herd" } }],
    move: "e3e2",
};

describe("a moment", () => {
    it("looks into what happened", () => {
        expect(lookUp(event, "turns.0.reason.code")).toBe("has_herd");
        expect(lookUp(event, "turns.1.reason.code")).toBeUndefined();
    });

    it.each([
        [{ kind: "precedence" }, true],
        [{ kind: "filled" }, false],
        [{ "turns.0.seat": "$other" }, true],
        [{ "turns.0.seat": "$self" }, false],
        [{ "turns.1": "$some" }, false],
        [{ "turns.0": "$some" }, true],
        [{ move: "$ends:2" }, true],
        [{ move: "$ends:3" }, false],
    ] as [Moment["when"], boolean][])("%o", (when, due) => {
        expect(isDue(moment(when), event, 0)).toBe(due);
    });
});

describe.each(GAME_NAMES)("the coach of %s", (game) => {
    it("has a text for every moment, and a name only once", async () => {
        const { moments } = await gameClient(game).loadCoach();
        const names = moments.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        expect(names.filter((name) => !has(`learn.coach.${game}.${name}`))).toEqual([]);
    });
});
