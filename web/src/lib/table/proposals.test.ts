/** Proposals: everyone hears how they end, and nobody agrees with themselves. */
import { beforeAll, expect, test } from "vitest";
import type { Message } from "$lib/api/types";
import { start } from "$lib/i18n/index.svelte";
import { newsOf, shownProposals, votesFor } from "./proposals";

const NAMES = ["Ada", "Ben", "Cleo"];

function vote(player: number, data: Record<string, unknown>): Message {
    const rest = { events: [], phase: "playing", decision: null, awaited: [] } as const;
    return {
        ...rest,
        events: [],
        awaited: [],
        seq: 1,
        at: 0,
        kind: "vote",
        player,
        data,
    } as Message;
}

beforeAll(() => start("en"));

test("a refusal names the player, and the player reads it in the second person", () => {
    const refused = vote(1, { on: "undo", agree: false, withdrawn: false });
    expect(newsOf(refused, NAMES, [0])).toBe("Ben doesn't want the move taken back.");
    expect(newsOf(refused, NAMES, [])).toContain("Ben");
    expect(newsOf(refused, NAMES, [1])).toBe("You have declined to have the move taken back.");
});

test("a withdrawal isn't a refusal, and agreement needs no words", () => {
    const data = { on: "next", agree: false, withdrawn: true };
    expect(newsOf(vote(0, data), NAMES, [1])).toBe("Ada has withdrawn the proposal.");
    expect(newsOf(vote(0, { on: "next", agree: true }), NAMES, [1])).toBe("");
});

test("whoever leaves is told to the others", () => {
    const left: Message = { ...vote(2, {}), kind: "leave" };
    expect(newsOf(left, NAMES, [0])).toBe("Cleo has left the table.");
});

test("people who share a device vote together, and aren't asked for what they proposed", () => {
    const view = { decision: { id: "1.4", since: 0, awaited: [], secret: false, take_back: [] } };
    expect(
        votesFor(view, [1, 0], "undo").map(({ player, decision }) => [player, decision]),
    ).toEqual([
        [1, "1.4"],
        [0, "1.4"],
    ]);
    const proposals = [{ on: "undo" as const, agreed: [0], asked: [0, 1] }];
    expect(shownProposals({ proposals }, [0, 1])).toEqual([]);
    expect(shownProposals({ proposals }, [0])).toEqual(proposals);
    expect(shownProposals({ proposals }, [])).toEqual(proposals);
});
