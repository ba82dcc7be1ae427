/** Describes Buffalo's events. */
import type { GameEvent, Reason } from "$lib/api/types";
import { t } from "$lib/i18n/index.svelte";

export function describeEvent(event: GameEvent): string {
    const reason = event["reason"] as Reason | undefined;
    const clause = reason?.clause ?? "";
    switch (event.kind) {
        case "moved":
            return t("buffalo.event.moved", {
                piece: t(`buffalo.piece.${String(event["piece"])}`),
                from: String(event["move"]).slice(0, 2),
                to: String(event["move"]).slice(2, 4),
            });
        case "captured":
            return t("buffalo.event.captured", { square: String(event["square"]), clause });
        case "blocked":
            return t("buffalo.event.blocked", {
                piece: t(`buffalo.piece.${String(event["by"])}`),
                square: String(event["square"]),
                clause,
            });
        case "opening_ended":
            return t("buffalo.event.openingEnded", { count: Number(event["steps"]), clause });
        case "ended":
            return t("buffalo.event.ended", { clause });
        default:
            return "";
    }
}
