/** What players know after the first `shown` steps: headers and standings mustn't run ahead of the story. */
import type { ZoffView } from "../view";
import type { Step, ZoffEvent } from "./events";

type Stage = { phase: ZoffView["phase"]; round: number };

const eventsOf = (steps: Step[]): ZoffEvent[] => steps.flatMap((step) => step.events);

/** The part of the game that an event belongs to; null when it doesn't say. */
function stageOf(event: ZoffEvent): Stage | null {
    switch (event.kind) {
        case "settled":
            return { phase: "settle", round: 0 };
        case "bid_shown":
        case "bids_tied":
            return { phase: "bid", round: 0 };
        case "ranked":
        case "picked":
            return { phase: "pick", round: 0 };
        case "revealed":
        case "round_ended":
            return { phase: "place", round: event.round };
        default:
            return null;
    }
}

/** The phase and the round that are told: the view's once all steps are shown. */
export function stageAt(view: ZoffView, steps: Step[], shown: number): Stage {
    if (shown >= steps.length) return { phase: view.phase, round: view.round };
    const told = eventsOf(steps.slice(0, shown)).reverse();
    const toCome = eventsOf(steps.slice(shown));
    for (const event of [...told, ...toCome]) {
        const stage = stageOf(event);
        if (stage) return stage;
    }
    return { phase: view.phase, round: view.round };
}

/** A seat's bid as far as it is told; null before that. */
export function bidAt(view: ZoffView, steps: Step[], shown: number, seat: number): string | null {
    const bids = (part: Step[]): string[] =>
        eventsOf(part).flatMap((event) =>
            event.kind === "bid_shown" && event.seat === seat ? [event.bid] : [],
        );
    const told = bids(steps.slice(0, shown)).at(-1);
    if (told !== undefined) return told;
    return bids(steps.slice(shown)).length > 0 ? null : (view.seats[seat]?.bid ?? null);
}

/** A seat's colours as far as they are told. */
export function coloursAt(view: ZoffView, steps: Step[], shown: number, seat: number): string[] {
    const toCome = eventsOf(steps.slice(shown)).some(
        (event) => event.kind === "picked" && event.seat === seat,
    );
    return toCome ? [] : (view.seats[seat]?.colours ?? []);
}

/**
 * The cow cards that a seat has played, as far as they are told and may be looked at; empty when they may not.
 *
 * A game that ends in the middle of a round leaves the cards of that round on the table: they are played, too.
 */
export function playedAt(view: ZoffView, steps: Step[], shown: number, seat: number): string[] {
    if (view.discards === null) return [];
    const toCome = eventsOf(steps.slice(shown));
    const ending = toCome.some((event) => event.kind === "ended");
    if (ending && !view.rules.open_discards) return [];
    const laid = view.laid.filter((pair) => pair.seat === seat).map((pair) => pair.card);
    const hidden = toCome.flatMap((event) =>
        event.kind === "revealed" && event.seat === seat
            ? (event.choice?.pairs ?? []).map((pair) => pair[1])
            : [],
    );
    const played = new Set([...(view.discards[seat] ?? []), ...laid]); // one card may stand for two colours
    return [...played].filter((card) => !hidden.includes(card));
}
