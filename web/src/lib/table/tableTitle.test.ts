import { beforeAll, expect, test } from "vitest";
import { samplePlayer, sampleTableView } from "$lib/api/sample";
import { start } from "$lib/i18n/index.svelte";
import { tableTitle } from "./tableTitle";

beforeAll(() => start("en"));

const players = [samplePlayer(0, { name: "Anna" }), samplePlayer(1, { name: "Ben" })];
const waitingFor = (...awaited: number[]) =>
    sampleTableView({
        game: "buffalo",
        players,
        decision: { id: "1", since: 0, awaited, secret: false, take_back: [] },
    });

test("a table's title says whose turn it is", () => {
    expect(tableTitle(waitingFor(0), [0])).toBe("● Your turn · Buffalo");
    expect(tableTitle(waitingFor(1), [0])).toBe("Waiting for Ben · Buffalo");
    expect(tableTitle(waitingFor(0, 1), [])).toBe("Waiting for Anna and Ben · Buffalo");
    expect(tableTitle(waitingFor(0), [0, 1])).toBe("Waiting for Anna · Buffalo");
    expect(tableTitle({ ...waitingFor(), phase: "over" }, [0])).toBe("The game is over · Buffalo");
});
