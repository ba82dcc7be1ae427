/** The moves of the game on the table, from messages that may arrive out of order and twice. */
import type { Message } from "$lib/api/types";
import { eventsOf, type BuffaloEvent } from "../view";
import { fenOf, pieces, type Kind } from "./board";

/** A move, and whether it took a buffalo. */
export type Ply = { move: string; seat: number; piece: Kind; took: boolean };

/** A move to read: two squares, with a cross between them when it takes something. */
export const moveText = ({ move, took }: { move: string; took: boolean }): string =>
    `${move.slice(0, 2)}${took ? "×" : "–"}${move.slice(2, 4)}`;

/** A move of the engine to read: nothing says whether it takes something. */
export const moveName = (move: string): string => moveText({ move, took: false });

/** Two batches of messages as one: each entry of the log once, in its order. */
export function mergeMessages(known: readonly Message[], more: readonly Message[]): Message[] {
    const all = new Map([...known, ...more].map((message) => [message.seq, message]));
    return [...all.values()].sort((a, b) => a.seq - b.seq);
}

const beginsGame = ({ kind, data }: Message): boolean =>
    kind === "start" || (kind === "vote" && data["on"] === "next" && data["done"] === true);

/** What is told after more messages: the latest events, unless they were taken back or belong to an earlier game. */
export function toldAfter(
    told: readonly BuffaloEvent[],
    added: readonly Message[],
): readonly BuffaloEvent[] {
    let latest: BuffaloEvent[] | null = null;
    for (const message of added) {
        if (beginsGame(message) || Number(message.data["undone"] ?? 0) > 0) latest = [];
        const events = eventsOf(message);
        if (events.length > 0) latest = [...(latest ?? []), ...events];
    }
    return latest ?? told;
}

/** The moves since the last game began; those that were taken back by agreement don't count. */
export function pliesOf(messages: readonly Pick<Message, "kind" | "data" | "events">[]): Ply[] {
    let plies: Ply[] = [];
    for (const { kind, data, events } of messages) {
        if (kind === "vote" && data["on"] === "next" && data["done"] === true) plies = [];
        const undone = Number(data["undone"] ?? 0);
        if (undone > 0) plies = plies.slice(0, -undone);
        for (const event of eventsOf({ events })) {
            const last = plies.at(-1);
            if (event.kind === "captured" && last) last.took = true;
            if (event.kind !== "moved") continue;
            const { move, seat, piece } = event;
            plies.push({ move, seat, piece, took: false });
        }
    }
    return plies;
}

/** The picture after a move was made: whatever stood on its target is gone. */
export function afterMove(fen: string, move: string): string {
    const squares = new Map(pieces(fen).map(({ kind, square }) => [square, kind]));
    const kind = squares.get(move.slice(0, 2));
    squares.delete(move.slice(0, 2));
    if (kind) squares.set(move.slice(2, 4), kind);
    return fenOf(squares);
}

/** The position after the first `shown` moves: the later ones are taken back from the position that is known. */
export function positionAfter(fen: string, plies: readonly Ply[], shown: number): string {
    const squares = new Map(pieces(fen).map(({ kind, square }) => [square, kind]));
    for (const { move, took } of plies.slice(shown).reverse()) {
        const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
        const kind = squares.get(to);
        squares.delete(to);
        if (kind) squares.set(from, kind);
        if (took) squares.set(to, "buffalo");
    }
    return fenOf(squares);
}
