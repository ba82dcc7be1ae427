/** What somebody said, in the reader's language where it was a phrase. */
import { has, t } from "$lib/i18n/index.svelte";
import type { Said } from "./talk.svelte";

/** The text of a phrase; null for one that this client doesn't know yet. (`close_one` would mean a plural's form.) */
export function phraseText(code: string): string | null {
    const key = `talk.phrase.${code.replaceAll("_", "-")}`;
    return has(key) ? t(key) : null;
}

export function told({ kind, text }: Said): string {
    if (kind === "agree") return t("talk.agreed");
    if (kind === "decline") return t("talk.declined");
    return (kind === "phrase" && phraseText(text)) || text;
}
