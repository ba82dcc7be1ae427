/** What bots may comment on in Zoff, from what has been shown to everyone: places, bonuses, and who has most cows. */
import type { Occasion } from "$lib/bots/remarks.svelte";
import type { ZoffView } from "../view";
import type { ZoffEvent } from "./events";

type Standing = {
    seats: readonly Pick<ZoffView["seats"][number], "colours">[];
    pastures: readonly { herds: Record<string, number> }[];
};

/** The seat with most cows on pastures; null while several have as many. */
export function leaderOf({ seats, pastures }: Standing): number | null {
    const cows = seats.map(({ colours }) =>
        colours
            .flatMap((colour) => pastures.map(({ herds }) => herds[colour] ?? 0))
            .reduce((sum, count) => sum + count, 0),
    );
    const most = Math.max(...cows);
    return cows.filter((count) => count === most).length === 1 ? cows.indexOf(most) : null;
}

function alone(event: ZoffEvent): Occasion[] {
    if (event.kind === "wasted") return [{ code: "waste", seat: event.seat }];
    if (event.kind === "bonus_placed" && event.on.length > 1)
        return [{ code: "bonus", seat: event.seat }];
    const last = event.kind === "precedence" && event.turns.length > 2 ? event.turns.at(-1) : null;
    return last ? [{ code: "crowd", seat: last.seat }] : [];
}

/** The most dramatic first. `before` and `after` are who was and who is in the lead. */
export function occasionsIn(
    events: readonly ZoffEvent[],
    before: number | null,
    after: number | null,
): Occasion[] {
    const changed = before !== null && after !== null && before !== after;
    return [
        ...(changed ? ([{ code: "lead", seat: after }] as const) : []),
        ...(changed ? ([{ code: "behind", seat: before }] as const) : []),
        ...events.flatMap(alone),
    ];
}
