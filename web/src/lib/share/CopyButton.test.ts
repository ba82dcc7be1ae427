/** Where a page may not copy, nothing says that it did: the text is there to be copied by hand. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import CopyButton from "./CopyButton.svelte";

const TEXT = "http://club.example/analysis#moves=f7f6";

beforeAll(() => start("en"));
afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
});

/** Presses the button; returns the text beside it, if the page shows one. */
async function pressed(clipboard: object | undefined): Promise<HTMLTextAreaElement | null> {
    vi.stubGlobal("navigator", { ...navigator, clipboard });
    render(CopyButton, { text: TEXT });
    await fireEvent.click(screen.getByRole("button"));
    await vi.waitFor(() => expect(document.body.textContent).toMatch(/Copied|by hand/));
    return document.querySelector("textarea");
}

test("a copied text is said to be copied, until there is another one", async () => {
    const copied: string[] = [];
    const writeText = (text: string) => Promise.resolve(void copied.push(text));
    expect(await pressed({ writeText })).toBeNull();
    expect(copied).toEqual([TEXT]);
    expect(screen.getByRole("button").textContent).toBe("Copied");
});

test.each([
    ["without HTTPS", undefined],
    ["when the browser refuses", { writeText: () => Promise.reject(new Error("no")) }],
])("%s, the text is shown and selected", async (_, clipboard) => {
    const field = await pressed(clipboard);
    expect(document.body.textContent).not.toContain("Copied");
    expect(field?.value).toBe(TEXT);
    expect(document.activeElement).toBe(field);
    expect([field?.selectionStart, field?.selectionEnd]).toEqual([0, TEXT.length]);
});
