/** Which pastures may take the next bonus cow, by the placements that the server lists; their order doesn't matter. */

function counts(names: string[]): Map<string, number> {
    const found = new Map<string, number>();
    for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
    return found;
}

function holds(placement: string[], part: Map<string, number>): boolean {
    const all = counts(placement);
    return [...part].every(([name, count]) => (all.get(name) ?? 0) >= count);
}

/** The pastures where one more cow leads to at least one of the placements. */
export function nextCows(placements: string[][], on: string[]): Set<string> {
    const names = new Set(placements.flat());
    return new Set(
        [...names].filter((name) =>
            placements.some((placement) => holds(placement, counts([...on, name]))),
        ),
    );
}

/** Whether the cows so far are one of the placements. */
export function isPlacement(placements: string[][], on: string[]): boolean {
    const part = counts(on);
    return placements.some((placement) => placement.length === on.length && holds(placement, part));
}
