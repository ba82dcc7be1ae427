/** Chat messages as text; phrases in the reader's language. */
import type { ChatMessage, Phrase } from "$lib/api/types";
import { has, t } from "$lib/i18n/index.svelte";
import { person } from "$lib/table/self";

/** The text of a phrase; null for one that this client doesn't know yet. (`close_one` would mean a plural's form.) */
export function phraseText(code: string): string | null {
    const key = `chat.phrase.${code.replaceAll("_", "-")}`;
    return has(key) ? t(key) : null;
}

/** Whether this client has a text for a phrase that the server offers. */
export const isPhrase = (code: string): code is Phrase => phraseText(code) !== null;

export const messageText = ({ kind, text }: ChatMessage): string =>
    (kind === "phrase" && phraseText(text)) || text;

/** What a vote on free text tells, as a whole sentence; null for a message in its author's own words. */
export function voteText({ kind }: ChatMessage, name: string, own: boolean): string | null {
    if (kind === "agree") return t("chat.agreed", person(own, name));
    if (kind === "decline") return t("chat.declined", person(own, name));
    return null;
}
