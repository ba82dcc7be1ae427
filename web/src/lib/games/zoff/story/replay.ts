/** A replay of Zoff: its steps, its rounds, and the views that descriptions need. */
import type { Replay, TableView } from "$lib/api/types";
import type { Board } from "../landscape/board";
import { withEvents, type Step, type ZoffEvent } from "./events";
import type { ZoffView } from "../view";
import { namesOf, playersOf } from "$lib/replay/names";

/** What happened, one step after another; `seq` is the number of the action behind it. */
export function stepsOf(replay: Replay): Step[] {
    let steps: Step[] = [];
    for (const [index, { events }] of replay.steps.entries()) {
        steps = withEvents(steps, events as unknown as ZoffEvent[], index);
    }
    return steps;
}

/** The view behind an action; before the first one, the start. */
export function zoffAt(replay: Replay, action: number): ZoffView {
    const view = replay.steps[action]?.view ?? replay.start;
    return view as unknown as ZoffView;
}

/** A table's view for `describeStep`, which needs names and, at the end, all colours. */
export function tableOf(replay: Replay): TableView {
    const players = playersOf(replay).map((one, index) => ({ player: index, seat: index, ...one }));
    const view = zoffAt(replay, replay.steps.length - 1);
    return { game: "zoff", players, view } as unknown as TableView;
}

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
