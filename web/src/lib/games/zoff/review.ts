/** The review of a game of Zoff in words. */
import { decimal, has, list, t } from "$lib/i18n/index.svelte";
import type { ReviewTexts } from "../gameClient";
import { stepsOf, zoffAt } from "./story/replay";
import { pastureName, type ZoffAction } from "./view";

/** Values of reasons that are names of colours. */
const COLOURS = ["first", "last", "best", "chosen"];
const DECIMALS = ["cows", "most"];

function actionText(action: ZoffAction): string {
    switch (action.type) {
        case "choose":
            return list(
                action.pairs.map(([pasture, card]) =>
                    pasture ? t("review.pair", { card, pasture: pastureName(pasture) }) : card,
                ),
            );
        case "place":
            return t("review.placed", { count: action.cows });
        case "bonus":
            return action.on.length > 0
                ? t("review.bonusOn", { pastures: list(action.on.map(pastureName)) })
                : t("review.noBonus");
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
    fill: (replay, seat) => {
        const [colour] = zoffAt(replay, replay.steps.length - 1).seats[seat]?.colours ?? [];
        return colour ? `var(--${colour})` : "var(--ink)";
    },
    positionBefore: (replay, turn) => {
        const at = stepsOf(replay).findIndex(({ seq }) => seq >= turn);
        return Math.max(0, at);
    },
    turnAt: (replay, at) => stepsOf(replay)[at - 1]?.seq ?? 0,
    loadExercise: null,
};

export default texts;
