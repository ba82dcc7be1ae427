import { describe, expect, it } from "vitest";
import { sampleGame, sampleOption } from "$lib/games/sample";
import { chosenHouseRules, offeredHouseRules } from "./houseRules";

const option: typeof sampleOption = (name, changes) =>
    sampleOption(name, { house: true, ...changes });

describe("the house rules of a new table", () => {
    const info = sampleGame("zoff", {
        options: [
            option("auction", { house: false }),
            option("must_place"),
            option("one_last_card", { players: [2] }),
            option("rebid_among_tied", { needs: "auction", default: true }),
        ],
    });
    const names = (players: number, variants: Record<string, boolean>) =>
        offeredHouseRules(info, players, variants).map(({ name }) => name);

    it("are those that matter for the players and the variants", () => {
        expect(names(4, {})).toEqual(["must_place"]);
        expect(names(2, { auction: false })).toEqual(["must_place", "one_last_card"]);
        expect(names(4, { auction: true })).toEqual(["must_place", "rebid_among_tied"]);
        expect(offeredHouseRules(undefined, 4, {})).toEqual([]);
    });

    it("are as usual unless a player ticks or clears them", () => {
        const offered = offeredHouseRules(info, 4, { auction: true });
        expect(chosenHouseRules(offered, {})).toEqual({
            must_place: false,
            rebid_among_tied: true,
        });
        expect(chosenHouseRules(offered, { rebid_among_tied: false, one_last_card: true })).toEqual(
            { must_place: false, rebid_among_tied: false },
        );
    });
});
