/** Buffalo's part of a table's view, as the server writes it (docs/protocol.md). */
import type { TableView } from "$lib/api/types";
import type { Legal } from "./board/board";

export type BuffaloView = {
    game: "buffalo";
    viewer: number | null;
    rules: { removed: string[]; opening_moves: number };
    fen: string;
    to_act: number[];
    /** The viewer's moves; null when it isn't their turn. */
    legal: { moves?: Legal } | null;
    opening: { left: number; stepped: string[] } | null;
    last_move: string | null;
    captured: string[];
    result: { winner: number; reason: string } | null;
};

export function buffaloView(view: TableView): BuffaloView | null {
    return view.view === null ? null : (view.view as unknown as BuffaloView);
}

/** The sides by seat. */
export const SIDES = ["buffalo", "hunter"] as const;
export type Side = (typeof SIDES)[number];

/** A series' standing, as the server writes it. */
export type SeriesView = {
    series?: string;
    /** The ladder's handicap, and how many buffaloes are to be left out of the next game. */
    rung?: number;
    due?: number;
    /** The seat that chooses them; null when nothing is due. */
    chooser?: number | null;
    /** The match on both sides: its winner, and by player the seats on which they have won. */
    winner?: number | null;
    won?: number[][];
};

export function seriesView(view: TableView): SeriesView {
    return view.series as SeriesView;
}
