/** The clocks that the form offers, by the key of their text. */
import type { Clock, GameInfo } from "$lib/api/types";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const clock = (
    kind: Clock["kind"],
    limit_ms: number,
    increment_ms = 0,
    expiry: Clock["expiry"] = "bot",
): Clock => ({ kind, limit_ms, increment_ms, expiry, lapses: 2, grace: true });

export const CLOCKS: Record<string, Clock> = {
    none: clock("none", 0),
    move30: clock("move", 30 * SECOND),
    round2: clock("round", 2 * MINUTE),
    game5: clock("game", 5 * MINUTE, 3 * SECOND),
    game10: clock("game", 10 * MINUTE, 5 * SECOND),
    game15: clock("game", 15 * MINUTE, 10 * SECOND),
    lost10: clock("move", 10 * MINUTE, 0, "forfeit"),
    days3: clock("days", 3 * DAY),
};

/** The keys of the clocks that a game knows, as the server describes it. */
export function offeredClocks(info: GameInfo | undefined): string[] {
    return Object.entries(CLOCKS).flatMap(([key, { kind, expiry }]) => {
        if (kind === "none") return [key];
        return info?.clock_kinds.includes(kind) && info.expiries.includes(expiry) ? [key] : [];
    });
}
