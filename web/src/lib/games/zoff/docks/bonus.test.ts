import { describe, expect, it } from "vitest";
import { isPlacement, nextCows } from "./bonus";

describe("placing", () => {
    const ways = [[], ["Small"], ["Large", "Large"], ["Small", "Middle"]];

    it("offers the pastures that lead to one of the server's ways (Z5.2)", () => {
        expect([...nextCows(ways, [])].sort()).toEqual(["Large", "Middle", "Small"]);
        expect([...nextCows(ways, ["Middle"])]).toEqual(["Small"]);
        expect(nextCows(ways, ["Large", "Large"]).size).toBe(0);
    });

    it("knows when the cows are one of them, in whatever order", () => {
        expect(isPlacement(ways, ["Middle", "Small"])).toBe(true);
        expect(isPlacement(ways, ["Large"])).toBe(false);
        expect(isPlacement(ways, [])).toBe(true);
    });
});
