/**
 * What may be said of a pasture from what everybody sees: which sizes are taken, who would go before whom.
 *
 * Nothing here decides: what is legal is the server's word. It explains.
 */
import type { Reason } from "$lib/api/types";
import type { Pasture } from "./view";

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
