/** A sentence about a player has a second form for that player: "Anna places 5 cows", "You place 5 cows". */
import { describe, expect, it } from "vitest";
import { base, catalogues, slots } from "./readCatalogues";

/** Values that stand for a player. */
const PLAYERS = ["who", "name"];

/** Sentences about a side, which may be the reader's own. */
const SIDES = ["buffalo.won.buffalo", "buffalo.won.hunter"];

/** Texts that need no second form, and why. */
const WITHOUT: [pattern: RegExp, why: string][] = [
    [/^zoff\.who$/, "a name with its colour"],
    [/^zoff\.(wait\.\w+|choose\.waiting|forecast\.(before|behind))$/, "tells of others only"],
    [/^(chat\.(waiting|people\.sure\.\w+)|table\.titles\.waiting)$/, "tells of others only"],
    [/^zoff\.event\.(tied|ranked)$/, "a list without a verb, in which the reader is `common.self`"],
    [/^chat\.people\.sure\./, "asks about others only"],
    [/^table\.handOver\./, "shown where several people share a device"],
    [/^seats\.asked/, "shown where several people share a device"],
    [/^seats\.(ready\.waiting\w*|mine\.theirTurn|proposal\.left)$/, "tells of others only"],
    [/^seats\.name\.given$/, "the reader's own name, as others see it"],
    [/^account\./, "the reader's own name, as others see it"],
    [/^bots\.says$/, "tells of bots only"],
    [/^zoff\.pasture\./, "the name of a pasture"],
    [/^leaders\.rung$/, "the name of a list"],
    [/^common\.numbered$/, "the name of a level"],
    [/^replay\.file\.wrong$/, "the name of a file"],
    [/^analysis\.zoff\.hand$/, "whose hand it is, in a record"],
    [/^review\.retry\.(open|ask)/, "in reviews everybody has a name"],
    [/^analysis\.remark\.in_(table|certificate)$/, "the name of a table of values"],
];

const isYou = (key: string) => base(key).endsWith("_you");
const youForm = (key: string) => key.replace(base(key), `${base(key)}_you`);

describe.each([...catalogues])("the catalogue of %s", (_, texts) => {
    it("has the second person of every sentence about a player", () => {
        const wanted = [...texts]
            .filter(([key]) => !isYou(key) && !WITHOUT.some(([one]) => one.test(base(key))))
            .filter(([, text]) => slots(text).some((slot) => PLAYERS.includes(slot)))
            .map(([key]) => youForm(key));
        expect([...wanted, ...SIDES.map(youForm)].filter((key) => !texts.has(key))).toEqual([]);
    });

    it("has a second person only beside a third, and calls the reader by no name in it", () => {
        const yours = [...texts].filter(([key]) => isYou(key));
        const alone = yours.filter(([key]) => !texts.has(key.replace("_you", "")));
        const named = yours.filter(([key, text]) => {
            // A victory that is shared is shared with others, who have names.
            const others = key.endsWith("_you_other") && slots(text).includes("who");
            return slots(text).some((slot) => PLAYERS.includes(slot)) && !others;
        });
        expect([alone, named]).toEqual([[], []]);
    });

    it("has no exception that no text needs", () => {
        const unused = WITHOUT.filter(
            ([one]) => ![...texts.keys()].some((key) => one.test(base(key))),
        );
        expect(unused).toEqual([]);
    });
});
