/** Languages are fetched, so the one that was chosen first can arrive last. */
import { expect, test } from "vitest";
import { choose, language, start, t } from "./index.svelte";

test("the language that was chosen last is spoken, whichever arrives last", async () => {
    await start("en");
    const first = choose("fr");
    const second = choose("en");
    await Promise.all([first, second]);
    expect(language.current).toBe("en");
    expect(document.documentElement.lang).toBe("en");
    await choose("fr");
    expect(t("common.home")).not.toContain("start page");
    await choose("en");
});
