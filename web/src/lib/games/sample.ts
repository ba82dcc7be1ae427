/** Games for tests, as `/api/games` describes them. */
import type { GameInfo } from "$lib/api/types";

/** A game of open information for two, without options; `changes` says what a test needs. */
export function sampleGame(name: string, changes: Partial<GameInfo> = {}): GameInfo {
    return {
        name,
        title: name,
        players: [2],
        bots: ["random", "easy", "gentle"],
        characters: [],
        temperaments: {},
        series: ["rematch"],
        series_formats: [],
        variants: [],
        house_rules: [],
        colours: {},
        options: [],
        default_rules: {},
        sides: [],
        clock_kinds: ["none", "move", "game", "days"],
        expiries: ["forfeit", "bot"],
        open_information: true,
        undo: true,
        rounds: false,
        forfeits: [],
        ...changes,
    };
}

type Option = GameInfo["options"][number];

/** A rule option of a game; `changes` says what a test needs. */
export function sampleOption(name: string, changes: Partial<Option> = {}): Option {
    return {
        name,
        kind: "flag",
        default: false,
        text: "",
        clause: "",
        minimum: null,
        maximum: null,
        choices: [],
        handicap: false,
        house: false,
        needs: "",
        players: [],
        ...changes,
    };
}
