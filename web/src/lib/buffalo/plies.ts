/** The moves of the game on the table, from what the server told: in any order, and some of it twice. */
import type { GameEvent, Message } from "$lib/api/types";

export type Ply = { move: string; seat: number };

/** Two bundles of messages as one: each entry of the log once, in its order. */
export function merge(known: readonly Message[], more: readonly Message[]): Message[] {
    const all = new Map([...known, ...more].map((message) => [message.seq, message]));
    return [...all.values()].sort((a, b) => a.seq - b.seq);
}

/** The moves since the last game began; those that were taken back by agreement don't count. */
export function pliesOf(messages: readonly Message[]): Ply[] {
    let plies: Ply[] = [];
    for (const { kind, data, events } of messages) {
        if (kind === "vote" && data["on"] === "next" && data["done"] === true) plies = [];
        const undone = Number(data["undone"] ?? 0);
        if (undone > 0) plies = plies.slice(0, -undone);
        for (const event of events as GameEvent[]) {
            if (event.kind !== "moved") continue;
            plies.push({ move: String(event["move"]), seat: Number(event["seat"]) });
        }
    }
    return plies;
}
