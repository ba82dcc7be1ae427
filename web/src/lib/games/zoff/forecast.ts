/** What the server's legal actions say of the pastures. No rules here: numbers are looked up, not worked out. */
import { nextCows } from "./docks/bonus";
import { t } from "$lib/i18n/index.svelte";
import { because, colourName, why } from "./story/describe";
import {
    cardValue,
    pastureName,
    type BonusLegal,
    type ChooseLegal,
    type Legal,
    type Pasture,
} from "./view";

/** What to expect of a pasture with a pair for one of the viewer's colours. */
export type Outlook = {
    colour: string;
    /** Sizes that a herd of this colour can't have because another one has them, smallest first. */
    taken: { colour: string; size: number }[];
    /** Colours that would place before and behind this one if they came too. */
    before: string[];
    behind: string[];
    /** Whether a herd decides who places first; else the cards do. */
    byHerd: boolean;
};

/** The forecasts for a pasture; empty when there is nothing to choose. */
export function outlooks(legal: Legal, pasture: string): Outlook[] {
    if (legal.type !== "choose") return [];
    return Object.entries(legal.forecast[pasture] ?? {}).map(([colour, { order, by, taken }]) => {
        const place = order.indexOf(colour);
        return {
            colour,
            taken: Object.entries(taken)
                .map(([other, size]) => ({ colour: other, size }))
                .sort((a, b) => a.size - b.size),
            before: order.slice(0, place),
            behind: order.slice(place + 1),
            byHerd: by === "herd",
        };
    });
}

/** The most cows that a herd can get of `cows`: no size that the outlook calls taken, and none where all are. */
export function mostCows(herd: number, cows: number, outlook: Outlook | undefined): number {
    const taken = new Set(outlook?.taken.map(({ size }) => size));
    let most = Math.max(cows, 0);
    while (most > 0 && taken.has(herd + most)) most -= 1;
    return most;
}

/** What the server expects of the pairs so far: how large a herd gets, and with whom it would tie. */
export function pairNotes(
    pastures: Pasture[],
    legal: ChooseLegal,
    slots: { pasture: string | null; card: string | null; colour: string | null }[],
): string[] {
    return slots.flatMap(({ pasture, card, colour }) => {
        const field = pastures.find((one) => one.name === pasture);
        if (!field || !card) return [];
        const [outlook] = outlooks(legal, field.name).filter(
            (one) => colour === null || one.colour === colour,
        );
        if (!outlook) return [];
        const most = Math.min(cardValue(card), field.free);
        const herd = (field.herds[outlook.colour] ?? 0) + most;
        const tied = outlook.taken.find((one) => one.size === herd);
        const values = { pasture: pastureName(field.name), card, count: most, herd };
        return tied
            ? [t("zoff.note.tie", { ...values, colour: colourName(tied.colour) })]
            : [t("zoff.note.upTo", values)];
    });
}

/** Why the next cow of a bonus can't go to an open pasture: by name, in words. */
export function bonusRefusals(
    pastures: Pasture[],
    legal: BonusLegal,
    on: string[],
): Map<string, string> {
    const found = new Map<string, string>();
    if (on.length >= legal.cows) return found;
    const possible = nextCows(legal.on, on);
    for (const { name, free } of pastures) {
        if (possible.has(name) || free === 0) continue;
        const cows = on.filter((one) => one === name).length + 1;
        const refusal = legal.refused.find(
            (one) => one.pastures.includes(name) && one.cows.includes(cows),
        );
        if (refusal) found.set(name, why(refusal.reason));
    }
    return found;
}

/** Why a pasture can't be chosen now, as a sentence. */
export function whyNot(legal: Legal, on: string[], { name, free }: Pasture): string {
    const cows = on.filter((one) => one === name).length + 1;
    const refusal =
        legal.type === "choose"
            ? legal.refused.find((one) => one.names.includes(name))
            : legal.type === "bonus"
              ? legal.refused.find((one) => one.pastures.includes(name) && one.cows.includes(cows))
              : undefined;
    const reason = refusal
        ? because(refusal.reason)
        : t(free === 0 ? "zoff.reason.no_free_space" : "zoff.pasture.not");
    return t("zoff.pasture.refused", { name: pastureName(name), reason });
}
