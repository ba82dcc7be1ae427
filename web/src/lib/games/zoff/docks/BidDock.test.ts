/** A bid: with a comma or a point in every language, and not above what can make sense without being asked. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import type { BidLegal } from "../view";
import BidDock from "./BidDock.svelte";

const legal: BidLegal = {
    type: "bid",
    least: "1.5",
    most: "9999.9999",
    usual: "6.5",
    decimals: 4,
    sealed: false,
    below: null,
};

beforeAll(() => {
    HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
        this.open = true;
    };
    HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
        this.open = false;
    };
});
afterEach(async () => {
    cleanup();
    await start("en");
});

/** The dock with a bid that is typed and sent; answers what was bid. */
async function bid(text: string | null, round = 1): Promise<string[]> {
    const sent: string[] = [];
    const onbid = (value: string) => void sent.push(value);
    const rest = { answer: null, waiting: [], busy: false, ontakeback: () => undefined };
    render(BidDock, { legal, round, onbid, ...rest });
    const input = screen.getByTestId<HTMLInputElement>("bid-input");
    if (text !== null) await fireEvent.input(input, { target: { value: text } });
    await fireEvent.submit(screen.getByTestId("bid"));
    return sent;
}

test.each(["en", "fr", "de", "it", "nl"])("%s takes a comma and a point", async (language) => {
    await start(language as Parameters<typeof start>[0]);
    expect(await bid("2,25")).toEqual(["2.25"]);
    cleanup();
    expect(await bid(" 2.25 ")).toEqual(["2.25"]);
});

test("the bid that is offered again is written as the language writes it, and can be sent", async () => {
    await start("de");
    expect(await bid(null, 2)).toEqual(["1.5"]);
    expect(screen.getByTestId<HTMLInputElement>("bid-input").value).toBe("1,5");
});

test("a bid that hardly pays is asked about first; one that is too low isn't sent", async () => {
    const sent = await bid("100");
    expect(sent).toEqual([]);
    await fireEvent.click(screen.getByTestId("confirm-yes"));
    expect(sent).toEqual(["100"]);
    cleanup();
    expect(await bid("1")).toEqual([]);
    expect(document.body.textContent).toContain("At least 1.5");
    expect(document.body.textContent).not.toContain("9,999");
});
