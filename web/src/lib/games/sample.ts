/** Games for tests, as `/api/games` describes them. */
import type { GameInfo } from "$lib/api/types";

/** A game of open information for two, without options; `changes` says what a test needs. */
export function sampleGame(name: string, changes: Partial<GameInfo> = {}): GameInfo {
    return {
        name,
        title: name,
        players: [2],
        bots: ["random", "easy", "gentle"],
        series: ["rematch"],
        series_formats: [],
        variants: [],
        options: [],
        default_rules: {},
        sides: [],
        clock_kinds: ["none", "move", "days"],
        open_information: true,
        undo: true,
        rounds: false,
        forfeits: [],
        ...changes,
    };
}
