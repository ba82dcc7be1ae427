/** Why a game can't be shown, in the reader's words. */
import { Refusal } from "$lib/api/client";
import { t } from "$lib/i18n/index.svelte";

export function problemText(error: unknown): string {
    const status = error instanceof Refusal ? error.status : 0;
    if (error instanceof Refusal && status === 422)
        return t("replay.problem.wrong", { message: error.message });
    const known: Record<number, string> = { 404: "unknown", 409: "running" };
    return t(`replay.problem.${known[status] ?? "away"}`);
}
