/** Which house rules a new table offers, and what it asks the server for. */
import type { GameInfo } from "$lib/api/types";

type Switches = Record<string, boolean | undefined>;

/** The house rules that change anything with so many players and these variants. */
export function offeredHouseRules(
    info: GameInfo | undefined,
    players: number,
    variants: Switches,
): GameInfo["options"] {
    return (info?.options ?? []).filter(
        (option) =>
            option.house &&
            (option.players.length === 0 || option.players.includes(players)) &&
            (option.needs === "" || variants[option.needs] === true),
    );
}

/** Those of a new table: what was ticked, else what is usual. */
export function chosenHouseRules(
    offered: GameInfo["options"],
    ticked: Switches,
): Record<string, boolean> {
    return Object.fromEntries(
        offered.map(({ name, default: usual }) => [name, ticked[name] ?? usual === true]),
    );
}
