/** A replay of Zoff: its steps, its rounds, and the views that descriptions need. */
import type { Replay } from "$lib/api/types";
import type { Board } from "../landscape/board";
import { eventsOf, withEvents, type Step } from "./events";
import { zoffView, type Cast, type ZoffView } from "../view";
import { namesOf, playersOf } from "$lib/replay/names";

/** What happened, one step after another; `seq` is the number of the action behind it. */
export function stepsOf(replay: Replay): Step[] {
    let steps: Step[] = [];
    for (const [index, step] of replay.steps.entries()) {
        steps = withEvents(steps, eventsOf(step), index);
    }
    return steps;
}

/** How many actions lead to a step that is shown, its own included. */
export const actionsAt = (replay: Replay, at: number): number =>
    (stepsOf(replay)[at - 1]?.seq ?? -1) + 1;

/**
 * How many actions come before the decision that a step is about: where cards are turned up the choice of these cards,
 * elsewhere what comes next; at the end the last one.
 */
export function decisionAt(replay: Replay, at: number): number {
    const shown = stepsOf(replay).slice(0, at);
    const last = shown.at(-1);
    if (!last) return 0;
    const revealed = shown.findLast(({ events: [first] }) => first.kind === "revealed");
    const before = revealed?.seq === last.seq ? last.seq : last.seq + 1;
    return Math.min(before, replay.steps.length - 1);
}

/** The view behind an action; before the first one, the start. */
export function zoffAt(replay: Replay, action: number): ZoffView {
    const view = zoffView({ view: replay.steps[action]?.view ?? replay.start });
    if (!view) throw new Error(`expected a replay of Zoff, got one of ${replay.game}`);
    return view;
}

/** The players with the colours that they have at the end. */
export function castOf(replay: Replay): Cast {
    const players = playersOf(replay).map((player, seat) => ({ seat, ...player }));
    return { players, view: zoffAt(replay, replay.steps.length - 1) };
}

/** The colours that a seat has at the end. */
export const coloursOf = (replay: Replay, seat: number): string[] =>
    zoffAt(replay, replay.steps.length - 1).seats[seat]?.colours ?? [];

/** Where each round begins: at the reveal of its choices. Round 0 is what came before. */
export function roundsOf(steps: Step[]): { round: number; at: number }[] {
    const found = steps.flatMap(({ events: [first] }, index) =>
        first.kind === "revealed" ? [{ round: first.round, at: index + 1 }] : [],
    );
    return [{ round: 0, at: 0 }, ...found];
}

export type Standing = {
    seat: number;
    name: string;
    placed: number;
    colours: { colour: string; placed: number }[];
};

/** How many cows each seat has on pastures. Colours that are still to be bought count for the seat that buys them. */
export function standings(replay: Replay, board: Board): Standing[] {
    const end = zoffAt(replay, replay.steps.length - 1);
    return namesOf(replay).map((name, index) => {
        const colours = (end.seats[index]?.colours ?? []).map((colour) => ({
            colour,
            placed: board.pastures.reduce((sum, one) => sum + (one.herds[colour] ?? 0), 0),
        }));
        const placed = colours.reduce((sum, one) => sum + one.placed, 0);
        return { seat: index, name, placed, colours };
    });
}
