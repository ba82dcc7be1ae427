import { expect, it } from "vitest";
import { read, UNCHANGED, written } from "./changed";

it("reads the changes that it has written", () => {
    const linked = {
        step: 17,
        seat: 2,
        herds: { "Drunk'n-Creek": { pink: 0, blue: 3 }, "Lucky-Lake": { green: 1 } },
        hands: { 0: ["5A", "4 M"], 2: [] },
    };
    expect(read(written(linked))).toEqual(linked);
});

it.each([
    "",
    "#moves=a7a6",
    "#herd=Lucky-Lake&hand=x,5A&step=-1&seat=1e9",
    "#herd=Lucky-Lake,pink,-2&herd=Lucky-Lake,pink,many&seat=1.5",
])("leaves out what a link can't say: %s", (hash) => {
    expect(read(hash)).toEqual({ step: null, seat: 0, ...UNCHANGED });
});
