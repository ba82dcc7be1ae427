/**
 * The board at a step of the resolution.
 *
 * No rules here: the board starts from the server's view and takes back what later events placed.
 */
import type { Step, Turn, ZoffEvent } from "../story/events";
import type { Pasture, ZoffView } from "../view";

type Change = { pasture: string; colour: string; cows: number };

function changesOf(event: ZoffEvent): Change[] {
    switch (event.kind) {
        case "placed":
        case "final_bonus":
            return [{ pasture: event.pasture, colour: event.colour, cows: event.cows }];
        case "bonus_placed":
            return event.on.map((pasture) => ({ pasture, colour: event.colour, cows: 1 }));
        case "settled":
            return Object.entries(event.settle.colours).map(([pasture, colour]) => ({
                pasture,
                colour,
                cows: 1,
            }));
        default:
            return [];
    }
}

export type Board = { pastures: Pasture[]; reserves: Record<string, number> };

function bySize(herds: Map<string, number>): Record<string, number> {
    return Object.fromEntries([...herds].filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]));
}

/** The herds with more cows, largest first. */
export function withCows(
    herds: Record<string, number>,
    more: Record<string, number>,
): [colour: string, herd: number][] {
    const grown = new Map(Object.entries(herds));
    for (const [colour, cows] of Object.entries(more)) {
        grown.set(colour, (grown.get(colour) ?? 0) + cows);
    }
    return Object.entries(bySize(grown));
}

/** The board after the first `shown` steps. */
export function boardAt(view: ZoffView, steps: Step[], shown: number): Board {
    const changes = steps.slice(shown).flatMap((step) => step.events.flatMap(changesOf));
    const reserves: Record<string, number> = { ...view.free_colours };
    for (const seat of view.seats) Object.assign(reserves, seat.reserves);
    const pastures = view.pastures.map((pasture) => {
        const here = changes.filter((change) => change.pasture === pasture.name);
        if (here.length === 0) return pasture;
        const herds = new Map(Object.entries(pasture.herds));
        let free = pasture.free;
        for (const { colour, cows } of here) {
            herds.set(colour, (herds.get(colour) ?? 0) - cows);
            free += cows;
        }
        return { ...pasture, free, herds: bySize(herds) };
    });
    for (const { colour, cows } of changes) reserves[colour] = (reserves[colour] ?? 0) + cows;
    return { pastures, reserves };
}

/** The cows that a step puts down: they are shown arriving. */
export function fresh(step: Step | undefined): Map<string, number> {
    const arrived = new Map<string, number>();
    for (const { pasture, colour, cows } of step?.events.flatMap(changesOf) ?? []) {
        const key = `${pasture}/${colour}`;
        arrived.set(key, (arrived.get(key) ?? 0) + cows);
    }
    return arrived;
}

/** A pair that lies beside a pasture; `state` says whether its turn is still to come. */
export type Tag = {
    seat: number;
    colour: string;
    card: string | null;
    state: "waiting" | "next" | "placed" | "wasted";
    order: number;
};

function colourOf(view: ZoffView, seat: number, named: string | undefined): string {
    return named ?? view.seats[seat]?.colours[0] ?? "";
}

function ordered(tags: Tag[], turns: Turn[]): Tag[] {
    return turns.map((turn, index) => {
        const known = tags.find((tag) => tag.colour === turn.colour);
        return {
            seat: turn.seat,
            colour: turn.colour,
            card: turn.card ?? known?.card ?? null,
            state: index === 0 ? "next" : "waiting",
            order: index + 1,
        };
    });
}

function done(tags: Tag[], colour: string, state: "placed" | "wasted"): Tag[] {
    const at = tags.findIndex(
        (tag) => tag.colour === colour && (tag.state === "next" || tag.state === "waiting"),
    );
    const passed = tags.map((tag, index) => (index === at ? { ...tag, state } : tag));
    const next = passed.findIndex((tag) => tag.order > 0 && tag.state === "waiting");
    return passed.map((tag, index) => (index === next ? { ...tag, state: "next" } : tag));
}

/** The pairs that lie open in a view, without the steps that led there. */
export function tagsOf(view: ZoffView): Map<string, Tag[]> {
    const tags = new Map<string, Tag[]>();
    for (const { seat, colour, pasture, card } of view.laid) {
        const same = (one: { colour: string; pasture: string }) =>
            one.colour === colour && one.pasture === pasture;
        const order = view.line.findIndex(same) + 1;
        const waits = order > 1 || view.waiting.some(same);
        const state = order === 1 ? "next" : waits ? "waiting" : "placed";
        tags.set(pasture, [...(tags.get(pasture) ?? []), { seat, colour, card, state, order }]);
    }
    return tags;
}

/** The pairs beside each pasture after the first `shown` steps; `start` are those that lay there before. */
export function tagsAt(
    view: ZoffView,
    steps: Step[],
    shown: number,
    start: ReadonlyMap<string, Tag[]> = new Map(),
): Map<string, Tag[]> {
    const tags = new Map(start);
    for (const event of steps.slice(0, shown).flatMap((step) => step.events)) {
        switch (event.kind) {
            case "revealed":
                for (const [pasture, card, named] of event.choice?.pairs ?? []) {
                    const colour = colourOf(view, event.seat, named);
                    const tag: Tag = { seat: event.seat, colour, card, state: "waiting", order: 0 };
                    tags.set(pasture, [...(tags.get(pasture) ?? []), tag]);
                }
                break;
            case "precedence":
                tags.set(event.pasture, ordered(tags.get(event.pasture) ?? [], event.turns));
                break;
            case "placed":
            case "wasted":
                tags.set(
                    event.pasture,
                    done(tags.get(event.pasture) ?? [], event.colour, event.kind),
                );
                break;
            case "round_ended":
            case "ended":
                tags.clear();
                break;
            default:
        }
    }
    return tags;
}

/** The cascade: the pasture that pays first, and those that wait behind it. */
export function cascadeAt(view: ZoffView, steps: Step[], shown: number): string[] {
    if (shown === steps.length) {
        const paying = view.due[0]?.source;
        return paying === undefined ? view.queue : [paying, ...view.queue];
    }
    let queue: string[] = [];
    const paysFrom = (source: string): void => {
        const at = queue.indexOf(source);
        if (at > 0) queue = queue.slice(at);
    };
    for (const event of steps.slice(0, shown).flatMap((step) => step.events)) {
        if (event.kind === "filled") queue = [...queue, event.pasture];
        else if (event.kind === "bonus_placed") paysFrom(event.source);
        else if (event.kind === "bonus_lapsed") paysFrom(event.pasture);
        else queue = [];
    }
    return queue;
}

/** The pastures that a step is about. */
export function spotlight(step: Step | undefined): Set<string> {
    const names = new Set<string>();
    for (const event of step?.events ?? []) {
        if ("pasture" in event) names.add(event.pasture);
        if (event.kind === "bonus_placed") for (const name of event.on) names.add(name);
    }
    return names;
}

/** The pastures that this round's steps tell of, in their order on the land. */
export function trailOf(view: ZoffView, steps: Step[]): string[] {
    const told = new Set(
        steps.flatMap((step) =>
            step.events.flatMap((event) =>
                event.kind === "revealed"
                    ? (event.choice?.pairs ?? []).map(([pasture]) => pasture)
                    : event.kind === "precedence"
                      ? [event.pasture]
                      : [],
            ),
        ),
    );
    return view.pastures.map(({ name }) => name).filter((name) => told.has(name));
}
