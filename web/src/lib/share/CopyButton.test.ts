/** Where a page may not copy, nothing says that it did: the text is there to be copied by hand. */
import { cleanup, fireEvent, render, within } from "@testing-library/svelte";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import CopyButton from "./CopyButton.svelte";

const TEXT = "http://club.example/analysis#moves=f7f6";

beforeAll(() => start("en"));
afterEach(() => {
    cleanup();
    Reflect.deleteProperty(navigator, "clipboard");
});

/** Presses the button; returns what is shown then. */
async function pressed(clipboard: object | undefined): Promise<HTMLElement> {
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: clipboard });
    const { container } = render(CopyButton, { text: TEXT });
    await fireEvent.click(within(container).getByRole("button"));
    await vi.waitFor(() => expect(container.textContent).toMatch(/Copied|by hand/));
    return container;
}

test("a copied text is said to be copied, until there is another one", async () => {
    const copied: string[] = [];
    const writeText = (text: string) => Promise.resolve(void copied.push(text));
    const shown = await pressed({ writeText });
    expect(shown.querySelector("textarea")).toBeNull();
    expect(copied).toEqual([TEXT]);
    expect(within(shown).getByRole("button").textContent).toBe("Copied");
});

test.each([
    ["without HTTPS", undefined],
    ["when the browser refuses", { writeText: () => Promise.reject(new Error("no")) }],
])("%s, the text is shown and selected", async (_, clipboard) => {
    const shown = await pressed(clipboard);
    const field = shown.querySelector("textarea");
    expect(shown.textContent).not.toContain("Copied");
    expect(field?.value).toBe(TEXT);
    expect(document.activeElement).toBe(field);
    expect([field?.selectionStart, field?.selectionEnd]).toEqual([0, TEXT.length]);
});
