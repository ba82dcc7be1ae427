/** The score sheet: where each seat's cows came from, added up from what happened. */
import type { Message } from "$lib/api/types";
import { eventsOf, type ZoffEvent } from "../story/events";
import type { ZoffView } from "../view";

/** The columns whose cows count, in order. */
export const SOURCES = ["settled", "cards", "bonuses", "final"] as const;
export type ScoreSource = (typeof SOURCES)[number];
export type Score = Record<ScoreSource, number> & {
    /** Pairs that came too late. */
    wasted: number;
};

const begins = ({ kind, data }: Message): boolean =>
    kind === "start" || (kind === "vote" && data["on"] === "next" && data["done"] === true);

/** The events of the last game, without what was taken back. */
export function standingEvents(messages: Message[]): ZoffEvent[] {
    let acts: ZoffEvent[][] = [];
    for (const message of messages) {
        if (begins(message)) acts = [];
        const undone = Number(message.data["undone"] ?? 0);
        if (undone > 0) acts = acts.slice(0, -undone);
        if (message.kind === "act") acts.push(eventsOf(message));
    }
    return acts.flat();
}

/** By seat: where the cows came from. What no event tells of stood there from the start. */
export function scoreSheet(zoff: ZoffView, events: ZoffEvent[]): Score[] {
    const scores = zoff.seats.map<Score>(() => ({
        settled: 0,
        cards: 0,
        bonuses: 0,
        final: 0,
        wasted: 0,
    }));
    for (const event of events) {
        const score = "seat" in event ? scores[event.seat] : undefined;
        if (!score) continue;
        if (event.kind === "placed") score.cards += event.cows;
        else if (event.kind === "bonus_placed") score.bonuses += event.on.length;
        else if (event.kind === "final_bonus") score.final += event.cows;
        else if (event.kind === "wasted") score.wasted += 1;
    }
    scores.forEach((score, seat) => {
        const placed = zoff.result?.placed[seat] ?? zoff.seats[seat]?.placed ?? 0;
        score.settled = placed - score.cards - score.bonuses - score.final;
    });
    return scores;
}

/** Where the winner is furthest ahead of the second; null when nowhere. */
export function biggestLead(
    winner: Score,
    second: Score,
): { source: ScoreSource; most: number; less: number } | null {
    const leads = SOURCES.map((source) => ({
        source,
        most: winner[source],
        less: second[source],
    })).sort((a, b) => b.most - b.less - (a.most - a.less));
    const [first] = leads;
    return first && first.most > first.less ? first : null;
}
