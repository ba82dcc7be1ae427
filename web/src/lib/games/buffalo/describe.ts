/** Describes Buffalo's events. */
import { t } from "$lib/i18n/index.svelte";
import type { BuffaloEvent } from "./view";

const pieceName = (piece: string): string => t(`buffalo.piece.${piece}`);

export function describeEvent(event: BuffaloEvent): string {
    switch (event.kind) {
        case "moved":
            return t("buffalo.event.moved", {
                piece: pieceName(event.piece),
                from: event.move.slice(0, 2),
                to: event.move.slice(2, 4),
            });
        case "captured":
            return t("buffalo.event.captured", {
                square: event.square,
                clause: event.reason.clause,
            });
        case "blocked":
            return t("buffalo.event.blocked", {
                piece: pieceName(event.by),
                square: event.square,
                clause: event.reason.clause,
            });
        case "opening_ended":
            return t("buffalo.event.openingEnded", {
                count: event.steps,
                clause: event.reason.clause,
            });
        case "ended":
            return t("buffalo.event.ended", { clause: event.reason.clause });
    }
}
