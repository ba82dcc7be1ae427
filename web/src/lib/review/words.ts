/** What a review says of points and decisions, in the language of the page. */
import type { CurvePoint, ReviewedDecision } from "$lib/api/types";
import { number, percent, t } from "$lib/i18n/index.svelte";

const cows = (value: number): string => number(Math.abs(value), 1);
/** Less than this is shown as nothing. */
const SHOWN = 0.05;

/** How far a seat is ahead of the others, or behind, in cows. */
export function leadText(value: number): string {
    if (Math.abs(value) < SHOWN) return t("review.level");
    return t(value < 0 ? "review.behind" : "review.lead", { cows: cows(value) });
}

/** What an option is worth: a chance to win, or a lead in cows. */
export function worthText({ unit }: ReviewedDecision, value: number): string {
    return unit === "chance" ? t("review.toWin", { chance: percent(value) }) : leadText(value);
}

/** A text at the beginning of a line: a word gets a capital letter, a square of a board doesn't. */
export const opening = (text: string): string =>
    text.replace(/^\p{Ll}(?=\p{L})/u, (letter) => letter.toLocaleUpperCase());

/** What reviews say of a decision that can't be improved on: nothing to read beside a better one. */
const NOTHING_BETTER = ["move_best", "answer_even"];

/** Why a decision was good or not, without what a better one makes untrue. */
export function reasonsOf({ reasons, loss }: ReviewedDecision): ReviewedDecision["reasons"] {
    return loss > 0 ? reasons.filter(({ code }) => !NOTHING_BETTER.includes(code)) : reasons;
}

/** What is said of a decision anyway, where it stands beside what is better and what both are worth. */
const TOLD = ["move_better", "choice_better", "answer_better", "other_pasture"];
/** What only tells in words how a better choice differs. */
const COMPARED = [
    ...["higher_card", "lower_card", "earlier_letter", "later_letter"],
    ...["rare", "prospects"],
];

/** Why something else was better, beside what it is and what it is worth. */
export const whyOf = (decision: ReviewedDecision): ReviewedDecision["reasons"] =>
    reasonsOf(decision).filter(({ code }) => !TOLD.includes(code));

/** The reason that says most, for a line in a list. */
export const mainReason = (
    decision: ReviewedDecision,
): ReviewedDecision["reasons"][number] | undefined =>
    whyOf(decision).find(({ code }) => !COMPARED.includes(code));

/** What became of the pairs of a choice that didn't bring all that was hoped for. */
export function spilt({ outcome }: ReviewedDecision, place: (name: string) => string): string[] {
    return outcome.flatMap(({ pasture, card, cows, most }) => {
        if (cows !== null && cows >= most) return [];
        const became = cows === null ? t("review.wasted") : t("review.ofMost", { cows, most });
        return [`${place(pasture)} ${card}: ${became}`];
    });
}

/** When a decision was made. */
export function momentText({ unit, turn, round }: ReviewedDecision): string {
    if (unit === "chance") return t("review.move", { number: turn + 1 });
    return round > 0 ? t("replay.round", { round }) : t("replay.beforeRounds");
}

/** What a decision gave away. */
export function lossText({ unit, loss }: ReviewedDecision): string {
    if (loss === 0) return t("review.good");
    return unit === "chance" ? `−${percent(loss)}` : `−${cows(loss)}`;
}

/** What all decisions of a seat gave away, in cows. */
export const lossSum = (loss: number): string => `−${cows(loss)}`;

/** What a point of the curve is called: a round or a move. */
export function pointName({ round, turn }: CurvePoint, isLast: boolean): string {
    return isLast ? t("review.end") : String(round > 0 ? round : turn + 1);
}
