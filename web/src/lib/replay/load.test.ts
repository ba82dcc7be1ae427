import { describe, expect, test } from "vitest";
import type { GameRecord } from "$lib/api/types";
import {
    analysisAddress,
    findNamed,
    FROM_FILE,
    gameAddress,
    handOver,
    NoRecord,
    recordsIn,
} from "./load";

const RECORD = { format: "stampede-record/1", game: "buffalo", rules: {}, seats: [], actions: [] };

test("a record is found in one object, written over several lines or not", () => {
    expect(recordsIn(JSON.stringify(RECORD))).toEqual([RECORD]);
    expect(recordsIn(JSON.stringify(RECORD, null, 2))).toEqual([RECORD]);
});

test("a file of many games has one a line", () => {
    const line = JSON.stringify(RECORD);
    expect(recordsIn(`${line}\n${line}\n`)).toHaveLength(2);
});

test.each(["", "null", "[]", "hello", '{"format":"other"}', `${JSON.stringify(RECORD)}\nhello`])(
    "%j is no file of records",
    (text) => {
        expect(() => recordsIn(text)).toThrow(NoRecord);
    },
);

describe("a record that this tab was given", () => {
    const record = RECORD as unknown as GameRecord;

    test("is found again by every page of the tab, and when one is loaded anew", async () => {
        handOver({ record });
        const named = { table: null, game: null, record: FROM_FILE };
        expect(await findNamed(named)).toEqual({ record });
        expect(gameAddress("review", { record })).toBe("/review?record=file");
        expect(gameAddress("replay", { record })).toBe("/replay?record=file");
        expect(analysisAddress({ record }, 3)).toBe("/analysis?record=file&turn=3");
    });

    test("is missed where the tab has none", async () => {
        sessionStorage.clear();
        const named = { table: null, game: null, record: FROM_FILE };
        await expect(findNamed(named)).rejects.toThrow(NoRecord);
        handOver({ record, id: "0123" });
        await expect(findNamed(named)).rejects.toThrow(NoRecord);
    });
});

test("games that the server knows have addresses to share", async () => {
    const record = RECORD as unknown as GameRecord;
    expect(gameAddress("review", { record, id: "0123" })).toBe("/review/record/0123");
    expect(analysisAddress({ record, id: "0123" })).toBe("/analysis?record=0123");
    expect(gameAddress("replay", { table: "T", game: 2 })).toBe("/replay/T/2");
    expect(gameAddress("review", { table: "T", game: null })).toBe("/review/T");
    expect(await findNamed({ table: "T", game: 2, record: null })).toEqual({ table: "T", game: 2 });
    expect(await findNamed({ table: null, game: null, record: null })).toBeNull();
});
