import { describe, expect, it } from "vitest";
import type { TableView } from "$lib/api/types";
import { sampleGame } from "$lib/games/sample";
import { remarkOf, remarkText, type PublicTable } from "./remarks.svelte";

const info = sampleGame("any", {
    characters: [{ level: "any-1", name: "Pip", mood: "shy" }],
});
const players = [
    { player: 0, kind: "human", level: null, left: false },
    { player: 1, kind: "bot", level: "any-1", left: false },
] as TableView["players"];
const table = (changes: Partial<PublicTable>): PublicTable => ({
    phase: "playing",
    number: 1,
    results: [],
    players,
    ...changes,
});
const ended = (winners: number[], aborted = false) =>
    [{ game: 1, winners, reason: "", aborted, stand_ins: [], out: [] }] as TableView["results"];

describe("a bot's remark", () => {
    it("comes at the beginning and at the end", () => {
        expect(remarkOf(table({}), info)).toEqual({ player: 1, code: "hello", mood: "shy" });
        const over = (winners: number[]) =>
            remarkOf(table({ phase: "over", results: ended(winners) }), info)?.code;
        expect(over([1])).toBe("won");
        expect(over([0])).toBe("lost");
    });

    it("isn't made in lobbies, pauses, aborted games, and among bots", () => {
        for (const changes of [
            { phase: "lobby", number: 0 },
            { phase: "paused" },
            { phase: "over", results: ended([], true) },
            { players: players.slice(1) },
        ] as Partial<PublicTable>[]) {
            expect(remarkOf(table(changes), info)).toBeNull();
        }
    });

    it("is the same whatever hands and sealed choices are", () => {
        const secret = (hand: string[]) =>
            ({ ...table({}), you: 0, view: { hand, answer: hand } }) as unknown as TableView;
        const [one, two] = [secret(["4M"]), secret(["1A", "2B"])].map((view) =>
            JSON.stringify(remarkOf(view, info)),
        );
        expect(one).toBe(two);
    });

    it("has a text in every mood that the server names", () => {
        for (const mood of ["shy", "merry", "dry", "proud"])
            for (const code of ["hello", "won", "lost"] as const)
                expect(remarkText({ player: 0, mood, code })).not.toBe("");
    });
});
