/** The review of a game of Zoff in words. */
import type { GameAction, ReviewedDecision } from "$lib/api/types";
import { decimal, has, list, t } from "$lib/i18n/index.svelte";
import type { ReviewTexts } from "../gameClient";
import LostCows from "./LostCows.svelte";
import PlaceMark from "./PlaceMark.svelte";
import SeatHerds from "./SeatHerds.svelte";
import { places } from "./story/places";
import { actionsAt, coloursOf, stepsOf } from "./story/replay";
import { pastureName, type ZoffAction } from "./view";

/** Values of reasons that are names of colours. */
const COLOURS = ["first", "last", "best", "chosen"];
const DECIMALS = ["cows", "most"];

function bonusText(on: string[]): string {
    if (on.length === 0) return t("review.noBonus");
    const several = new Set(on).size < on.length;
    return t(several ? "review.bonusCounted" : "review.bonusOn", { pastures: places(on) });
}

/** A choice in words; with the colours that two players lay their pairs for, where they are wanted. */
export function actionText(action: ZoffAction, coloured = false): string {
    switch (action.type) {
        case "choose":
            return list(
                action.pairs.map(([pasture, card, colour]) => {
                    if (!pasture) return card;
                    const pair = t("review.pair", { card, pasture: pastureName(pasture) });
                    return coloured && colour
                        ? t("zoff.who", { name: pair, colour: t(`zoff.colour.${colour}`) })
                        : pair;
                }),
            );
        case "place":
            return action.cows === 0
                ? t("review.placedNone")
                : t("review.placed", { count: action.cows });
        case "bonus":
            return bonusText(action.on);
        case "settle":
            return list(
                Object.entries(action.colours).map(([pasture, colour]) =>
                    t("review.settled", {
                        colour: t(`zoff.colour.${colour}`),
                        pasture: pastureName(pasture),
                    }),
                ),
            );
        case "bid":
            return t("review.bid", { bid: decimal(action.bid) });
        case "pick":
            return t("review.picked", { colour: t(`zoff.colour.${action.colour}`) });
        default:
            return "";
    }
}

const pairsOf = (action: GameAction): [string, string][] =>
    typeof action !== "string" && action.type === "choose"
        ? action.pairs.map(([pasture, card]) => [pasture, card])
        : [];

/** The cards of a choice on their pastures, with those of a better one: ✓ is right, ✗ isn't. */
export function cardsOf({ chosen, best, loss }: ReviewedDecision): Map<string, string> {
    const better = new Map(pairsOf(best));
    const laid = new Map(pairsOf(chosen));
    const marks = new Map<string, string>();
    for (const [pasture, card] of laid) {
        const right = loss === 0 || better.get(pasture) === card;
        marks.set(pasture, `${right ? "✓" : "✗"} ${card}`);
    }
    for (const [pasture, card] of loss > 0 ? better : [])
        if (laid.get(pasture) !== card)
            marks.set(pasture, [marks.get(pasture), `✓ ${card}`].filter(Boolean).join(" "));
    marks.delete("");
    return marks;
}

/** The pastures that a decision names. */
export function placesOf({ chosen }: ReviewedDecision): Set<string> {
    if (typeof chosen !== "string" && chosen.type === "bonus") return new Set(chosen.on);
    return new Set(pairsOf(chosen).flatMap(([pasture]) => (pasture ? [pasture] : [])));
}

const texts: ReviewTexts = {
    action: (action) => (typeof action === "string" ? action : actionText(action)),
    reason: ({ code, values, text }) => {
        const key = `review.reason.${code}`;
        if (!has(key) && !has(`${key}_other`)) return text;
        const shown: Record<string, string | number> = { ...values };
        for (const [name, value] of Object.entries(values)) {
            if (name === "pasture") shown[name] = pastureName(value);
            if (COLOURS.includes(name)) shown[name] = t(`zoff.colour.${value}`);
            if (DECIMALS.includes(name)) shown[name] = decimal(value);
            if (name === "count") shown[name] = Number(value);
        }
        return t(key, shown);
    },
    place: pastureName,
    Mark: SeatHerds,
    fill: (replay, seat) => {
        const [colour] = coloursOf(replay, seat);
        return colour ? `var(--${colour})` : "var(--ink)";
    },
    positionBefore: (replay, turn) => {
        const steps = stepsOf(replay);
        const at = steps.findIndex(({ seq }) => seq >= turn);
        return at < 0 ? steps.length : at;
    },
    turnAt: actionsAt,
    compact: false,
    PlaceMark,
    Cost: LostCows,
    proofAddress: null,
    loadExercise: null,
};

export default texts;
