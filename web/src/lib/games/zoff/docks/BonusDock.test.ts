import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import type { BonusLegal } from "../view";
import BonusDock from "./BonusDock.svelte";

let dock: ReturnType<typeof mount> | undefined;

function show(legal: Partial<BonusLegal>, on: string[], ready: boolean): string {
    document.body.innerHTML = "";
    const usual: BonusLegal = {
        type: "bonus",
        from: "Lucky-Lake",
        kind: "rank",
        colour: "blue",
        cows: 2,
        least: 0,
        below: null,
        on: [],
        refused: [],
    };
    dock = mount(BonusDock, {
        target: document.body,
        props: {
            legal: { ...usual, ...legal },
            due: undefined,
            on,
            ready,
            more: true,
            busy: false,
            onundo: () => undefined,
            onplace: () => undefined,
            why: () => ({ title: "", lines: [] }),
        },
    });
    flushSync();
    return document.querySelector("[data-testid=bonus-not]")?.textContent?.trim() ?? "";
}

describe("a bonus that isn't ready", () => {
    beforeAll(() => start("en"));
    afterEach(() => void (dock && unmount(dock)));

    it("says that it must be used as far as it can be, where that is the rule", () => {
        const must = { least: 2, below: { code: "must_place", clause: "Z5.2" } } as const;
        expect(show(must, ["Fire-Fields"], false)).toContain("must be placed");
        expect(show(must, ["Fire-Fields", "Coffee-Canyon"], true)).toBe("");
    });

    it("else says that two herds would be equal", () => {
        expect(show({}, ["Fire-Fields"], false)).toContain("two herds would be equal");
        expect(show({}, [], true)).toBe("");
    });
});
