import { expect, test } from "vitest";
import { coloursOfChairs } from "./chairs";

const info = { colours: { "3": ["orange", "pink", "green"] } };

test("who asks for no colour gets the first that is left", () => {
    const chairs = [{}, { colour: "orange" }, { bot: "zoff-1" }];
    expect(coloursOfChairs({ chairs, rules: {} }, info)).toEqual(["pink", "orange", "green"]);
});

test("nobody knows colours that are bought, or two players' pairs of them", () => {
    expect(coloursOfChairs({ chairs: [{}, {}, {}], rules: { auction: true } }, info)).toEqual([]);
    expect(coloursOfChairs({ chairs: [{}, {}], rules: {} }, info)).toEqual([]);
});
