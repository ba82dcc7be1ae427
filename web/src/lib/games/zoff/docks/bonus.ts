/** Which pastures may take the next bonus cow: read off the ways that the server lists, whatever their order. */

function counts(names: string[]): Map<string, number> {
    const found = new Map<string, number>();
    for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
    return found;
}

function holds(way: string[], part: Map<string, number>): boolean {
    const all = counts(way);
    return [...part].every(([name, count]) => (all.get(name) ?? 0) >= count);
}

/** The pastures where one more cow leads to at least one of the ways. */
export function nextCows(ways: string[][], on: string[]): Set<string> {
    const names = new Set(ways.flat());
    return new Set(
        [...names].filter((name) => ways.some((way) => holds(way, counts([...on, name])))),
    );
}

/** Whether the cows as they stand are one of the ways. */
export function isWay(ways: string[][], on: string[]): boolean {
    const part = counts(on);
    return ways.some((way) => way.length === on.length && holds(way, part));
}
