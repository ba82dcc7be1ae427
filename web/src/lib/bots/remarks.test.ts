import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { TableView } from "$lib/api/types";
import { occasionsIn as buffaloOccasions } from "$lib/games/buffalo/table/occasions";
import type { BuffaloEvent } from "$lib/games/buffalo/view";
import { sampleGame } from "$lib/games/sample";
import type { ZoffEvent } from "$lib/games/zoff/story/events";
import { leaderOf, occasionsIn as zoffOccasions } from "$lib/games/zoff/story/occasions";
import { loadTexts } from "$lib/i18n/index.svelte";
import { catalogues } from "$lib/i18n/readCatalogues";
import {
    CODES,
    DURING,
    quiet,
    remarkOf,
    Remarks,
    type Code,
    type PublicTable,
} from "./remarks.svelte";

const MOODS = ["shy", "merry", "dry", "proud"];
const info = sampleGame("any", {
    characters: [{ level: "any-1", name: "Pip", mood: "shy" }],
});
const players = [
    { player: 0, seat: 0, kind: "human", level: null, left: false },
    { player: 1, seat: 1, kind: "bot", level: "any-1", left: false },
] as TableView["players"];
const table = (changes: Partial<PublicTable>): PublicTable => ({
    table: "T",
    phase: "playing",
    number: 1,
    results: [],
    players,
    ...changes,
});
const ended = (winners: number[], aborted = false) =>
    [{ game: 1, winners, reason: "", aborted, stand_ins: [], out: [] }] as TableView["results"];
const over = (winners: number[]) => table({ phase: "over", results: ended(winners) });

describe("a bot's remark", () => {
    it("comes at the beginning, on an occasion of its own, and at the end", () => {
        expect(remarkOf(table({}), [], true, [], info)).toEqual({
            player: 1,
            code: "hello",
            mood: "shy",
        });
        const others = [{ code: "taken", seat: 0 } as const, { code: "took", seat: 1 } as const];
        expect(remarkOf(table({}), others, false, [], info)?.code).toBe("took");
        expect(remarkOf(over([1]), [], false, [], info)?.code).toBe("won");
        expect(remarkOf(over([0]), [], false, [], info)?.code).toBe("lost");
    });

    it("isn't made twice, too often, in lobbies, pauses, aborted games, and among bots", () => {
        const took = [{ code: "took", seat: 1 } as const];
        const full: Code[] = ["hello", "block", "lead"];
        expect(full.length).toBe(DURING + 1);
        expect(remarkOf(table({}), took, false, ["took"], info)).toBeNull();
        expect(remarkOf(table({}), took, false, full, info)).toBeNull();
        expect(remarkOf(over([0]), [], false, full, info)?.code).toBe("lost");
        for (const changes of [
            { phase: "lobby", number: 0 },
            { phase: "paused" },
            { phase: "over", results: ended([], true) },
            { players: players.slice(1) },
        ] as Partial<PublicTable>[]) {
            expect(remarkOf(table(changes), took, true, [], info)).toBeNull();
        }
    });

    it("is short and there in every mood and language", () => {
        for (const texts of catalogues.values())
            for (const mood of MOODS)
                for (const code of CODES) {
                    const text = texts.get(`bots.remark.${mood}.${code}`) ?? "";
                    expect(text.length, `${mood}.${code}: ${text}`).toBeGreaterThan(0);
                    expect(text.length, text).toBeLessThan(46); // two lines of a phone's seat
                }
    });
});

describe("the bots of a table", () => {
    beforeAll(loadTexts);
    beforeEach(() => {
        vi.useFakeTimers();
        localStorage.clear();
    });
    afterEach(() => vi.useRealTimers());

    it("fall silent after a while, remember what they said, and can be muted", () => {
        const remarks = new Remarks(() => info);
        remarks.hear(table({}), [], true);
        expect(remarks.now?.player).toBe(1);
        quiet.toggle();
        expect(remarks.now).toBeNull();
        remarks.hear(over([1]), []);
        quiet.toggle();
        vi.runAllTimers();
        expect(remarks.now).toBeNull();
        const again = new Remarks(() => info); // the page was loaded again
        again.hear(table({}), [], true);
        expect(again.now).toBeNull();
        again.hear(table({ number: 2 }), [], true);
        expect(again.now).not.toBeNull();
        again.stop();
    });
});

describe("occasions", () => {
    it("are captures and stopped buffaloes in Buffalo", () => {
        const events = [{ kind: "moved" }, { kind: "blocked" }, { kind: "captured" }];
        expect(buffaloOccasions(events as BuffaloEvent[])).toEqual([
            { code: "block", seat: 1 },
            { code: "took", seat: 1 },
            { code: "taken", seat: 0 },
        ]);
    });

    it("are a new leader, a crowd, a bonus and a wasted pair in Zoff, whatever the cards are", () => {
        const told = (card: string | null) =>
            [
                { kind: "precedence", turns: [0, 2, 1].map((seat) => ({ seat, card })) },
                { kind: "wasted", seat: 2, card },
                { kind: "bonus_placed", seat: 0, on: ["A", "B"] },
            ] as unknown as ZoffEvent[];
        const found = zoffOccasions(told("4M"), 0, 2);
        expect(found.map(({ code, seat }) => `${code} ${seat}`)).toEqual([
            "lead 2",
            "behind 0",
            "crowd 1",
            "waste 2",
            "bonus 0",
        ]);
        expect(zoffOccasions(told(null), 0, 2)).toEqual(found);
        const seats = [{ colours: ["orange", "blue"] }, { colours: ["pink"] }];
        expect(leaderOf({ seats, pastures: [{ herds: { orange: 2, pink: 3 } }] })).toBe(1);
        expect(
            leaderOf({ seats, pastures: [{ herds: { orange: 2, blue: 1, pink: 3 } }] }),
        ).toBeNull();
    });
});
