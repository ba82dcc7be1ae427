/** What went wrong, in the reader's language and with what to do next. The server's own messages are English. */
import { has, t } from "$lib/i18n/index.svelte";
import { Refusal } from "./client";

/** Codes that share a text. */
const SAME_TEXT: Record<string, string> = {
    not_awaited: "stale",
    game_over: "stale",
    conflict: "stale",
    key_reused: "stale",
    unavailable: "busy",
    too_large: "invalid",
    too_many: "enough",
};

export function errorText(error: unknown): string {
    if (!(error instanceof Refusal)) return t("errors.away");
    const { error: code, clause } = error.problem;
    const key = `errors.${SAME_TEXT[code] ?? code}`;
    return has(key) ? t(key, { clause: clause ?? "" }) : t("errors.other");
}
