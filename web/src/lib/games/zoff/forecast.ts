/**
 * What may be said of a pasture from what everybody sees: which sizes are taken, who would go before whom.
 *
 * Nothing here decides: what is legal is the server's word. It explains.
 */
import type { Reason } from "$lib/api/types";
import { nextCows } from "./docks/bonus";
import { why } from "./story/describe";
import type { BonusLegal, Pasture } from "./view";

/** Why a number that the server doesn't offer can't be placed. */
export function refusalOf(
    pasture: Pasture,
    colour: string,
    cows: number,
    reserve: number,
): Reason | null {
    if (cows > pasture.free) return { code: "no_space", clause: "Z4.3", free: pasture.free };
    if (cows > reserve) return { code: "reserve_empty", clause: "Z4.3", reserve };
    const size = (pasture.herds[colour] ?? 0) + cows;
    const other = Object.entries(pasture.herds).find(([, herd]) => herd === size);
    return other ? { code: "equal_herd", clause: "Z4.4", size, colour: other[0] } : null;
}

/** The herds with more cows, largest first. */
export function withCows(
    herds: Record<string, number>,
    more: Record<string, number>,
): [colour: string, herd: number][] {
    const grown = new Map(Object.entries(herds));
    for (const [colour, cows] of Object.entries(more)) {
        grown.set(colour, (grown.get(colour) ?? 0) + cows);
    }
    return [...grown].filter(([, herd]) => herd > 0).sort((a, b) => b[1] - a[1]);
}

/** The rank of a colour if its herd grew by so many cows; 0 while it has none. */
export function rankWith(herds: Record<string, number>, colour: string, cows: number): number {
    return withCows(herds, { [colour]: cows }).findIndex(([one]) => one === colour) + 1;
}

export type Outlook = {
    /** Sizes that a herd of this colour can't have, because another one has them. */
    taken: { size: number; colour: string }[];
    /** Herds that would go before this colour if they came too, largest first. */
    before: string[];
    /** Herds that would go behind it. */
    behind: string[];
    herd: number;
};

export function outlook(pasture: Pasture, colour: string): Outlook {
    const herd = pasture.herds[colour] ?? 0;
    const others = Object.entries(pasture.herds).filter(([other]) => other !== colour);
    return {
        herd,
        taken: others
            .filter(([, size]) => size > herd)
            .map(([other, size]) => ({ size, colour: other }))
            .sort((a, b) => a.size - b.size),
        before: others.filter(([, size]) => size > herd).map(([other]) => other),
        behind: others.filter(([, size]) => size < herd).map(([other]) => other),
    };
}

/** Why a bonus cow can't go to an open pasture: by name, in words. The server says that it can't; here is why. */
export function bonusRefusals(
    pastures: Pasture[],
    legal: BonusLegal,
    on: string[],
    reserves: Record<string, number>,
): Map<string, string> {
    const told = new Map<string, string>();
    if (on.length >= legal.cows) return told;
    const open = nextCows(legal.on, on);
    const reserve = (reserves[legal.colour] ?? 0) - on.length;
    for (const pasture of pastures) {
        if (open.has(pasture.name) || pasture.free === 0) continue;
        const there = on.filter((name) => name === pasture.name).length;
        const reason = refusalOf(pasture, legal.colour, there + 1, reserve + there);
        if (reason) told.set(pasture.name, why(reason));
    }
    return told;
}
