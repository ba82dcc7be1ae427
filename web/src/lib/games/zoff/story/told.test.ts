/** Headers, bids, colours and played cards keep pace with the story. */
import { beforeAll, describe, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import { sampleView } from "../sample";
import type { Reason } from "../view";
import { because } from "./describe";
import { withEvents, type ZoffEvent } from "./events";
import { places } from "./places";
import { bidAt, coloursAt, playedAt, stageAt } from "./told";

beforeAll(() => start("en"));

const shown = (seat: number, bid: string): ZoffEvent =>
    ({ kind: "bid_shown", seat, bid }) as ZoffEvent;
const picked = (seat: number, colour: string): ZoffEvent =>
    ({ kind: "picked", seat, colour, forced: false }) as ZoffEvent;
const revealed = (seat: number, round: number, card: string): ZoffEvent =>
    ({
        kind: "revealed",
        seat,
        round,
        choice: { type: "choose", pairs: [["Large", card]] },
    }) as ZoffEvent;
const ended = (round: number): ZoffEvent => ({ kind: "round_ended", round }) as ZoffEvent;

describe("the header", () => {
    const steps = withEvents([], [revealed(0, 2, "2B"), ended(2)], 5);

    it("names the round that is told, not the one that follows", () => {
        const view = sampleView({ round: 3 });
        expect(stageAt(view, steps, 0)).toEqual({ phase: "place", round: 2 });
        expect(stageAt(view, steps, 1)).toEqual({ phase: "place", round: 2 });
        expect(stageAt(view, steps, 2)).toEqual({ phase: "choose", round: 3 });
    });

    it("stays with the auction until its last step is told", () => {
        const auction = withEvents([], [shown(0, "2"), picked(0, "orange"), picked(1, "pink")], 5);
        expect(stageAt(sampleView({ round: 1 }), auction, 1).phase).toBe("bid");
        expect(stageAt(sampleView({ round: 1 }), auction, 2).phase).toBe("pick");
        expect(stageAt(sampleView({ round: 1 }), auction, 3).phase).toBe("choose");
    });
});

describe("the standings", () => {
    const view = sampleView();
    view.seats = view.seats.map((seat, index) => ({ ...seat, bid: String(index + 1) }));
    const steps = withEvents(
        [],
        [picked(2, "green"), shown(0, "1"), shown(1, "2"), picked(0, "orange")],
        5,
    );

    it("show a bid when it is turned up", () => {
        expect(bidAt(view, steps, 1, 0)).toBeNull();
        expect(bidAt(view, steps, 2, 0)).toBe("1");
        expect(bidAt(view, steps, 1, 2)).toBe("3");
    });

    it("show a colour when it is taken", () => {
        expect(coloursAt(view, steps, 2, 0)).toEqual([]);
        expect(coloursAt(view, steps, 3, 0)).toEqual(["orange"]);
        expect(coloursAt(view, steps, 1, 2)).toEqual(["green"]);
    });
});

describe("the cards that were played", () => {
    const laid = [{ seat: 0, colour: "orange", pasture: "Large", card: "5A", left: 5 }];
    const over = sampleView({ discards: [["2B", "3D"], [], []], laid });
    const steps = withEvents(
        [],
        [revealed(0, 5, "5A"), { kind: "ended" } as unknown as ZoffEvent],
        5,
    );

    it("are all of them when the game ends in the middle of a round", () => {
        expect(playedAt(over, steps, 2, 0)).toEqual(["2B", "3D", "5A"]);
    });

    it("aren't told before the end is", () => {
        expect(playedAt(over, steps, 1, 0)).toEqual([]);
        expect(playedAt(sampleView(), steps, 2, 0)).toEqual([]);
    });

    it("are known throughout where they stay open, but not before they are turned up", () => {
        const open = { ...over, rules: { ...over.rules, open_discards: true } };
        expect(playedAt(open, steps, 0, 0)).toEqual(["2B", "3D"]);
        expect(playedAt(open, steps, 1, 0)).toEqual(["2B", "3D", "5A"]);
    });
});

it("counts bonus cows on one pasture", () => {
    expect(places(["Dynamite-Mine", "Dynamite-Mine"])).toBe("2 on Dynamite Mine");
    expect(places(["Small", "Large", "Large"])).toBe("1 on Small and 2 on Large");
    expect(places(["Small", "Large"])).toBe("Small and Large");
});

it("doesn't say that there are only 0 free spaces", () => {
    const reason = { code: "no_space", clause: "Z4.3", free: 0 } as Reason;
    expect(because(reason)).toBe("there is no free space (Z4.3)");
    expect(because({ ...reason, free: 1 })).toBe("only 1 free space (Z4.3)");
});
