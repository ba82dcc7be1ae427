/** What went wrong, in the reader's language and with what to do next. The server's own words are English. */
import { has, t } from "$lib/i18n/index.svelte";
import { Refusal } from "./client";

/** Codes that mean the same to a person. */
const ALIKE: Record<string, string> = {
    not_awaited: "stale",
    game_over: "stale",
    conflict: "stale",
    key_reused: "stale",
    unavailable: "busy",
    too_large: "invalid",
    too_many: "enough",
};

export function trouble(error: unknown): string {
    if (!(error instanceof Refusal)) return t("trouble.away");
    const { error: code, clause } = error.problem as { error: string; clause?: string | null };
    const key = `trouble.${ALIKE[code] ?? code}`;
    return has(key) ? t(key, { clause: clause ?? "" }) : t("trouble.other");
}
