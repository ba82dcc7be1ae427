/** Views and events of Buffalo for tests. */
import type { BuffaloEvent, BuffaloView } from "./view";

/** The start of a game as a spectator sees it; `changes` says what a test needs. */
export function sampleView(changes: Partial<BuffaloView> = {}): BuffaloView {
    return {
        game: "buffalo",
        viewer: null,
        rules: { removed: [], opening_moves: 1 },
        fen: "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1",
        to_act: [0],
        legal: null,
        opening: null,
        last_move: null,
        captured: [],
        result: null,
        ...changes,
    };
}

export function sampleMove(move: string, seat: number): BuffaloEvent {
    return { kind: "moved", seat, piece: seat === 0 ? "buffalo" : "dog", move };
}

/** Where some pieces could go on an empty board; the client asks the server for it once. */
export const SAMPLE_REACH = {
    buffalo: { e7: ["e6"], f7: ["f6"], g7: ["g6"], f6: ["f5"] },
    chief: {},
    dog: {},
};
