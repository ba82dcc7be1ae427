import { expect, test } from "vitest";
import { NoRecord, recordsIn } from "./load";

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
