import { describe, expect, it } from "vitest";
import { sampleGame, sampleOption } from "$lib/games/sample";
import { askedHandicaps, chosenHandicaps, numbersOf, offeredHandicaps, toggle } from "./handicaps";

const files = sampleOption("removed", {
    kind: "subset",
    handicap: true,
    choices: ["a", "b", "c"],
    maximum: 2,
});
const moves = sampleOption("opening_moves", {
    kind: "number",
    handicap: true,
    minimum: 1,
    maximum: 3,
});
const info = sampleGame("buffalo", {
    series: ["rematch", "ladder"],
    options: [files, moves, sampleOption("players")],
});

describe("handicaps of a single game", () => {
    it("are offered only where a series doesn't set its own", () => {
        expect(offeredHandicaps(info, null)).toEqual([files, moves]);
        expect(offeredHandicaps(info, "rematch")).toEqual([files, moves]);
        expect(offeredHandicaps(info, "ladder")).toEqual([]);
        expect(offeredHandicaps(undefined, null)).toEqual([]);
    });

    it("are sent as they were chosen, and not with another series", () => {
        const chosen = { removed: ["a"], opening_moves: 2 };
        expect(chosenHandicaps([files, moves], chosen)).toEqual(chosen);
        expect(chosenHandicaps([], chosen)).toEqual({});
    });

    it("can be asked for by a link, whose nonsense does no harm", () => {
        const asked = (query: string) => askedHandicaps(new URLSearchParams(query));
        expect(asked("game=buffalo&removed=a,c")).toEqual({ removed: ["a", "c"] });
        expect(asked("game=buffalo&opening_moves=3")).toEqual({ opening_moves: 3 });
        const offered = [files, moves];
        expect(chosenHandicaps(offered, asked("removed=a,c"))).toEqual({ removed: ["a", "c"] });
        for (const nonsense of ["removed=z", "removed=1", "opening_moves=a", "opening_moves=99"])
            expect(chosenHandicaps(offered, asked(nonsense))).toEqual({});
    });

    it("take words in their order, up to the most that are allowed", () => {
        expect(toggle(files, ["b"], "a")).toEqual(["a", "b"]);
        expect(toggle(files, ["a", "b"], "a")).toEqual(["b"]);
        expect(toggle(files, ["a", "b"], "c")).toEqual(["a", "b"]);
        expect(numbersOf(moves)).toEqual([1, 2, 3]);
    });
});
