/** Describes Buffalo's events. */
import { t } from "$lib/i18n/index.svelte";
import { SIDES, type BuffaloEvent } from "./view";

const pieceName = (piece: string): string => t(`buffalo.piece.${piece}`);

/** Who won and why; in the second person for the seat of the reader, if they have one. */
export function describeResult(
    { winner, reason }: { winner: number; reason: string },
    self: number | null,
): string {
    const you = { context: "you" };
    const lost = self !== null && self !== winner;
    return t(`buffalo.won.${SIDES[winner]}`, {
        reason: t(`buffalo.reason.${reason}`, lost ? you : {}),
        ...(self === winner ? you : {}),
    });
}

/** How a game ended for its reader: a title, and the reason as a sentence. */
export function describeEnd(
    { winner, reason }: { winner: number; reason: string },
    self: number | null,
): { title: string; why: string; own: "won" | "lost" | null } {
    const own = self === null ? null : self === winner ? "won" : "lost";
    const why = t(`buffalo.reason.${reason}`, own === "lost" ? { context: "you" } : {});
    return {
        title: t(own ? `buffalo.end.${own}` : `buffalo.end.${SIDES[winner]}`),
        why: `${why.charAt(0).toLocaleUpperCase()}${why.slice(1)}.`,
        own,
    };
}

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
            return t(`buffalo.event.blocked.${event.by}`, {
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
