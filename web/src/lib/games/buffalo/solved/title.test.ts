import { beforeAll, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import { certificateTitle } from "./title";

beforeAll(() => start("en"));

it.each([
    ["bbbbbb5/11/11/11/11/1DDCDD5/11 b - - 0 1", 6, 1, "Board of 6 columns"],
    ["bb1bbb1bbbb/11/11/11/11/3DDCDD3/11 b - - 0 1", 11, 1, "Without c and g"],
    ["2bbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1", 11, 22, "9 buffaloes, 22 ways"],
    [
        "3bbbbbbbb/11/b10/1bb8/11/3DDCDD3/11 w - - 0 1",
        11,
        1,
        "Moved already: b and c by 3 steps, a by 2 steps",
    ],
    [
        "11/2bbbbbbb2/bb7bb/11/11/3DDCDD3/11 w - - 0 1",
        11,
        1,
        "Moved already: a, b, j, and k by 2 steps, the others by 1 step",
    ],
    ["11/11/bbbbbbbbbbb/11/11/3DDCDD3/11 w - - 0 1", 11, 1, "Moved already: all by 2 steps"],
])("says what %s on %i columns, %i in all, proves", (claim, width, claims, title) => {
    expect(certificateTitle({ claim, width, claims })).toBe(title);
});
