/** What a choice brings and why it is best, in words. */
import type { Schemas } from "$lib/api/types";
import { t } from "$lib/i18n/index.svelte";
import { actionText } from "../review";
import { nameOf, pastureName, type Cast, type ZoffAction } from "../view";

/** A choice in words. The order of bonus cows on several pastures is told, too: it may decide who fills what first. */
export function choiceText(answer: Schemas["GameAction"]): string {
    const action = answer as ZoffAction;
    if (action.type === "bonus" && action.on.length > 1 && new Set(action.on).size > 1)
        return t("review.bonusOn", { pastures: action.on.map(pastureName).join(" → ") });
    return actionText(action, true);
}

/** How a game ends: who wins, and with how many cows. */
export function resultText(cast: Cast, end: { cows: number[]; winners: number[] }): string {
    const self = cast.self ?? 0;
    const others = end.cows.flatMap((cows, seat) =>
        seat === self ? [] : [`${nameOf(cast, seat)} ${cows}`],
    );
    const values = { own: end.cows[self] ?? 0, others: others.join(", ") };
    if (!end.winners.includes(self)) return t("puzzle.zoff.lost", values);
    return t(end.winners.length > 1 ? "puzzle.zoff.shared" : "puzzle.zoff.won", values);
}

/** What makes the difference between the best choice and the tempting one. */
export function differenceText(cast: Cast, found: Schemas["ZoffDifference"]): string {
    const { kind, pasture, seat, cows, instead } = found;
    const values = { pasture: pastureName(pasture), cows, instead };
    if (seat === cast.self)
        return t(`puzzle.zoff.difference.${kind}`, { ...values, context: "you" });
    return t(`puzzle.zoff.difference.${kind}`, { ...values, who: nameOf(cast, seat) });
}

/** Where to look for what makes that difference. */
export function lookText({ kind, pasture }: Schemas["ZoffHintPlace"]): string {
    return t(`puzzle.zoff.look.${kind}`, { pasture: pastureName(pasture) });
}
