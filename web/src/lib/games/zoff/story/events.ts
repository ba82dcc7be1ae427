/** Zoff's events, grouped into the steps that are shown one after another. */
import type { Message, Schemas } from "$lib/api/types";

export type ZoffEvent = Schemas["ZoffEvent"];
export type Turn = Schemas["PairTurn"];

export type Kind = ZoffEvent["kind"];
export type Of<K extends Kind> = Extract<ZoffEvent, { kind: K }>;

/** The events of a message: at a table of Zoff they are Zoff's. */
export const eventsOf = ({ events }: Pick<Message, "events">): ZoffEvent[] => events as ZoffEvent[];

/** Events that are shown together: the reveal, the bids, a pasture's final bonus, one alone who places. */
export type Step = { events: [ZoffEvent, ...ZoffEvent[]]; seq: number };

function together(a: ZoffEvent, b: ZoffEvent): boolean {
    if (a.kind === "precedence" && b.kind === "placed")
        return a.turns.length === 1 && a.pasture === b.pasture;
    if (a.kind !== b.kind) return false;
    if (a.kind === "final_bonus") return a.pasture === (b as Of<"final_bonus">).pasture;
    return a.kind === "revealed" || a.kind === "bid_shown" || a.kind === "settled";
}

/** The steps, with more events behind them. Seals aren't steps: they only mark who is ready. */
export function withEvents(steps: Step[], events: ZoffEvent[], seq: number): Step[] {
    const grown = [...steps];
    for (const event of events) {
        if (event.kind === "sealed") continue;
        const last = grown.at(-1);
        if (last && last.seq === seq && together(last.events[0], event)) {
            grown[grown.length - 1] = { ...last, events: [...last.events, event] };
        } else {
            grown.push({ events: [event], seq });
        }
    }
    return grown;
}

/** The steps since the last reveal; all of them before the first. */
export function sinceReveal(steps: Step[]): Step[] {
    let start = -1;
    steps.forEach((step, index) => {
        if (step.events[0].kind === "revealed") start = index;
    });
    return start < 0 ? steps : steps.slice(start);
}

function redactEvent(event: ZoffEvent): ZoffEvent {
    switch (event.kind) {
        case "revealed":
            return { ...event, choice: null };
        case "precedence":
            return {
                ...event,
                turns: event.turns.map((turn) => ({
                    ...turn,
                    card: null,
                    reason: { code: turn.reason.code, clause: turn.reason.clause },
                })),
            };
        case "placed":
            return { ...event, card: null, refused: [] };
        case "wasted":
            return { ...event, card: null };
        default:
            return event;
    }
}

/** The steps without cow cards: a round that is over may not be looked up (Z6.1). */
export function redactCards(steps: Step[]): Step[] {
    return steps.map((step) => ({
        ...step,
        events: step.events.map(redactEvent) as Step["events"],
    }));
}
