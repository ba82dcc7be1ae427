/** A game of Zoff as a story: its steps, its rounds, and the views that the tellers need. */
import type { TableView } from "$lib/api/types";
import type { Board } from "$lib/zoff/board";
import { withEvents, type Step, type ZoffEvent } from "$lib/zoff/events";
import type { ZoffView } from "$lib/zoff/view";
import type { Replay } from "./load";
import { named, namesOf } from "./names";

/** What happened, one step after another; `seq` is the number of the action behind it. */
export function storyOf(replay: Replay): Step[] {
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

/** A table's view for the tellers: they want names and, in the end, everybody's colours. */
export function tableOf(replay: Replay): TableView {
    const players = named(replay).map((one, index) => ({ player: index, seat: index, ...one }));
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

/** How many cows each seat has on pastures. Colours that are still to be bought stand with whoever bought them. */
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
