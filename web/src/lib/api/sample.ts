/** A table for tests: complete, so that the type checker knows what a test leaves out; `changes` says what it needs. */
import { GAME_NAMES } from "$lib/games";
import type { Message, PlayerView, TableView } from "./types";

export function samplePlayer(player: number, changes: Partial<PlayerView> = {}): PlayerView {
    return {
        player,
        seat: player,
        name: `P${player}`,
        kind: "human",
        level: null,
        temperament: null,
        host: player === 0,
        free: false,
        ready: false,
        left: false,
        absent: false,
        lapses: 0,
        out: false,
        awaited: false,
        clock: null,
        ...changes,
    };
}

const sampleSettings = (): TableView["settings"] => ({
    game: GAME_NAMES[0] ?? "",
    rules: { removed: [], opening_moves: 1 },
    chairs: [{}, {}],
    clock: {
        kind: "none",
        limit_ms: 0,
        expiry: "bot",
        increment_ms: 0,
        lapses: 2,
        grace: true,
    },
    series: "rematch",
    substitute: "",
    auto_start: true,
    ready_check: false,
    hot_seat: false,
    pace_ms: 0,
    patience_ms: 0,
    public: false,
    rated: false,
    undo: true,
    watch: true,
    start: null,
    coached: false,
    temperament: "",
});

export function sampleTableView(changes: Partial<TableView> = {}): TableView {
    const deal = { scheme: "stampede-deal/1" as const, commitment: "", salts: [] };
    return {
        table: "t",
        game: GAME_NAMES[0] ?? "",
        seq: 1,
        at: 0,
        number: 1,
        phase: "playing",
        you: 0,
        players: [samplePlayer(0), samplePlayer(1)],
        decision: { id: "1.1", since: 0, awaited: [], secret: false, take_back: [] },
        proposals: [],
        results: [],
        settings: sampleSettings(),
        series: { series: "rematch", games: 0, chooser: null },
        deal: null,
        next_deal: deal,
        view: null,
        ...changes,
    };
}

export function sampleMessage(seq: number, changes: Partial<Message> = {}): Message {
    return {
        seq,
        at: 0,
        kind: "act",
        player: null,
        data: {},
        events: [],
        phase: "playing",
        decision: null,
        awaited: [],
        ...changes,
    };
}
