/** Addresses lead to pages, or to the page for missing ones. */
import { describe, expect, it } from "vitest";
import { moved, pageExists, parse } from "./router.svelte";

const TABLE = "Abcdefghij0123456789XY";

describe("an address", () => {
    it.each([
        ["/", "", "", { page: "home" }],
        [
            "/new",
            "?game=buffalo",
            "",
            { page: "create", game: "buffalo", edition: null, handicaps: {} },
        ],
        [
            "/new",
            "?game=buffalo&opening_moves=8",
            "",
            { page: "create", game: "buffalo", edition: null, handicaps: { opening_moves: 8 } },
        ],
        ["/new", "?edition=own", "", { page: "create", game: null, edition: "own", handicaps: {} }],
        ["/play/zoff", "", "", { page: "play", game: "zoff" }],
        ["/watch", "", "", { page: "watch" }],
        ["/about", "", "", { page: "about" }],
        ["/api", "", "", { page: "api" }],
        ["/puzzles", "", "", { page: "puzzles", number: null }],
        ["/puzzles/12", "", "", { page: "puzzles", number: 12 }],
        ["/solved", "", "", { page: "solved" }],
        ["/solved/rung-3", "", "", { page: "challenge", start: "rung-3" }],
        ["/puzzles/daily", "", "", { page: "puzzle", date: null }],
        ["/puzzles/daily/2026-11-10", "", "", { page: "puzzle", date: "2026-11-10" }],
        ["/box", "", "", { page: "box" }],
        ["/rules/zoff", "", "", { page: "rules", game: "zoff" }],
        [`/t/${TABLE}`, "", "", { page: "table", table: TABLE, token: null, join: false }],
        [
            `/t/${TABLE}`,
            "",
            "#invite=secret",
            { page: "table", table: TABLE, token: "secret", join: true },
        ],
        [
            `/t/${TABLE}`,
            "",
            "#seat=secret",
            { page: "table", table: TABLE, token: "secret", join: false },
        ],
        [`/review/${TABLE}/3`, "", "", { page: "review", table: TABLE, game: 3, record: null }],
        ["/review", "", "", { page: "review", table: null, game: null, record: null }],
        [
            "/review",
            "?record=file",
            "",
            { page: "review", table: null, game: null, record: "file" },
        ],
        [
            "/review/record/0123456789abcdef0123456789abcdef",
            "",
            "",
            {
                page: "review",
                table: null,
                game: null,
                record: "0123456789abcdef0123456789abcdef",
            },
        ],
        ...["-3", "1.5", "many", "0"].map((turn): [string, string, string, object] => [
            "/analysis",
            `?record=file&turn=${turn}`,
            "",
            { page: "analysis", fen: null, record: "file", turn: 0 },
        ]),
        [
            "/analysis",
            "?record=file&turn=12",
            "",
            { page: "analysis", fen: null, record: "file", turn: 12 },
        ],
        [
            "/replay",
            "?record=file",
            "",
            { page: "replay", table: null, game: null, record: "file" },
        ],
        [`/replay/${TABLE}/3`, "", "", { page: "replay", table: TABLE, game: 3, record: null }],
        [`/replay/${TABLE}`, "", "", { page: "replay", table: TABLE, game: null, record: null }],
        [
            "/replay/record/0123456789abcdef0123456789abcdef",
            "",
            "",
            {
                page: "replay",
                table: null,
                game: null,
                record: "0123456789abcdef0123456789abcdef",
            },
        ],
    ])("%s%s%s names its page", (path, query, hash, route) => {
        expect(parse(path, query, hash)).toEqual(route);
    });

    it.each([
        ["/puzzle", "/puzzles/daily"],
        ["/puzzle/2026-11-10", "/puzzles/daily/2026-11-10"],
        ["/new", null],
    ])("%s has moved to %s", (path, now) => {
        expect(moved(path)).toBe(now);
        expect(pageExists(now ?? path)).toBe(true);
    });

    it.each([
        "/t/short",
        `/t/${TABLE}x`,
        `/t/${TABLE}/more`,
        "/rules/chess",
        "/play/chess",
        "/nowhere",
        "//",
    ])("%s names no page", (path) => {
        expect(parse(path, "", "")).toEqual({ page: "missing" });
    });
});
