/** Chat messages as text; phrases in the reader's language. */
import type { ChatMessage, Phrase } from "$lib/api/types";
import { has, t } from "$lib/i18n/index.svelte";

/** The text of a phrase; null for one that this client doesn't know yet. (`close_one` would mean a plural's form.) */
export function phraseText(code: string): string | null {
    const key = `chat.phrase.${code.replaceAll("_", "-")}`;
    return has(key) ? t(key) : null;
}

/** Whether this client has a text for a phrase that the server offers. */
export const isPhrase = (code: string): code is Phrase => phraseText(code) !== null;

export function messageText({ kind, text }: ChatMessage): string {
    if (kind === "agree") return t("chat.agreed");
    if (kind === "decline") return t("chat.declined");
    return (kind === "phrase" && phraseText(text)) || text;
}
