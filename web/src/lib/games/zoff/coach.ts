/** The coach of Zoff: what a newcomer should hear, and when. */
import type { CoachData, Moment } from "$lib/learn/moments";
import { colourName } from "./story/describe";
import { pastureName } from "./view";

export const moments: readonly Moment[] = [
    { name: "choose", on: "decision", when: { "legal.type": "choose", "legal.sealed": false } },
    {
        name: "equal",
        on: "decision",
        when: { "legal.type": "place", "legal.refused.0.reason.code": "equal_herd" },
        values: {
            cows: { path: "legal.refused.0.cows.0", kind: "plain" },
            colour: { path: "legal.refused.0.reason.colour", kind: "colour" },
        },
    },
    { name: "place", on: "decision", when: { "legal.type": "place" } },
    {
        name: "bonus",
        on: "decision",
        when: { "legal.type": "bonus", "due.0.rank": "$some" },
        values: {
            pasture: { path: "legal.from", kind: "pasture" },
            rank: { path: "due.0.rank", kind: "plain" },
            cows: { path: "legal.cows", kind: "plain" },
        },
    },
    { name: "lastRound", on: "decision", when: { "legal.type": "choose", round: 5 } },
    { name: "revealed", on: "event", when: { kind: "revealed" } },
    {
        name: "othersHerd",
        on: "event",
        when: {
            kind: "precedence",
            "turns.1": "$some",
            "turns.0.seat": "$other",
            "turns.0.reason.code": "has_herd",
        },
        values: {
            player: { path: "turns.0.seat", kind: "player" },
            pasture: { path: "pasture", kind: "pasture" },
        },
    },
    {
        name: "lowerCard",
        on: "event",
        when: {
            kind: "precedence",
            "turns.1": "$some",
            "turns.0.reason.code": "card_value",
        },
        values: { pasture: { path: "pasture", kind: "pasture" } },
    },
    {
        name: "filled",
        on: "event",
        when: { kind: "filled" },
        values: { pasture: { path: "pasture", kind: "pasture" } },
    },
    {
        name: "ownBonus",
        on: "event",
        when: { kind: "bonus_placed", seat: "$self" },
        values: { source: { path: "source", kind: "pasture" } },
    },
    { name: "roundEnded", on: "event", when: { kind: "round_ended", round: 1 } },
    { name: "ended", on: "event", when: { kind: "ended" } },
];

export const word: CoachData["word"] = (kind, value, nameOf) => {
    if (kind === "player") return nameOf(Number(value));
    if (kind === "colour") return colourName(String(value));
    return kind === "pasture" ? pastureName(String(value)) : String(value);
};
