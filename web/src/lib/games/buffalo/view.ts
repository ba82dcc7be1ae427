/** Buffalo's part of a table's view, as the server writes it (docs/protocol.md). */
import type { TableView } from "$lib/api/types";
import type { Legal } from "./board/board";

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

export type Side = "buffalo" | "hunter";

/** With which sides each player has won in the series that is played. */
export function wonWith(view: TableView): { player: number; sides: Side[] }[] {
    const seats = seriesView(view).winners ?? [];
    const results = view.results.filter((one) => !one.aborted).slice(-seats.length || Infinity);
    return view.players.map(({ player }) => {
        const sides = results.flatMap(({ winners }, index): Side[] =>
            winners.includes(player) ? [seats[index] === 0 ? "buffalo" : "hunter"] : [],
        );
        return { player, sides: [...new Set(sides)] };
    });
}

/** Who has won with both sides, and so the match (B4.4). */
export function matchWinner(view: TableView): number | null {
    return wonWith(view).find(({ sides }) => sides.length === 2)?.player ?? null;
}
