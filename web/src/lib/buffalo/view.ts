/** Buffalo's part of a table's view, as the server writes it (docs/protocol.md). */
import type { TableView } from "$lib/api/types";
import type { Legal } from "./board";

export type BuffaloView = {
    game: "buffalo";
    viewer: number | null;
    rules: { removed: string[]; opening_moves: number };
    fen: string;
    to_act: number[];
    /** The viewer's moves; null when it isn't his turn. */
    legal: { moves?: Legal } | null;
    opening: { left: number; stepped: string[] } | null;
    last_move: string | null;
    captured: string[];
    result: { winner: number; reason: string } | null;
};

export function buffaloView(view: TableView): BuffaloView | null {
    return view.view === null ? null : (view.view as unknown as BuffaloView);
}

/** The ladder's or the match's standing. */
export type SeriesView = {
    series?: string;
    winners?: number[];
    rung?: number;
    chooser: number | null;
};

export function seriesView(view: TableView): SeriesView {
    return view.series as unknown as SeriesView;
}
