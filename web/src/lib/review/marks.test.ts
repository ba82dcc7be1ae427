import { expect, it } from "vitest";
import { spread } from "./marks";

it("marks that are apart stay where they are", () => {
    expect(spread([40, 200, 120], 30, [20, 300])).toEqual([40, 200, 120]);
});

it("close marks move apart in the order of their points, and stay within the ends", () => {
    expect(spread([100, 90, 105], 30, [20, 300])).toEqual([120, 90, 150]);
    expect(spread([20, 22], 30, [30, 300])).toEqual([30, 60]);
    expect(spread([295, 290, 100], 30, [20, 300])).toEqual([300, 270, 100]);
});
