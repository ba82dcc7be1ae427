/** The list of moves is the game's, however the messages arrive. */
import { describe, expect, it } from "vitest";
import { sampleMessage } from "$lib/api/sample";
import type { Message } from "$lib/api/types";
import { sampleMove } from "../sample";
import { afterMove, mergeMessages, moveText, pliesOf, positionAfter, toldAfter } from "./plies";
import type { Ply } from "./plies";

const message = (seq: number, kind: string, data: Message["data"]): Message =>
    sampleMessage(seq, { kind, data });
const moved = (seq: number, move: string): Message =>
    sampleMessage(seq, { events: [sampleMove(move, seq % 2)] });
const shown = (messages: Message[]) => pliesOf(messages).map((ply) => ply.move);

describe("the list of moves", () => {
    const first = [message(1, "open", {}), moved(2, "a7a6"), moved(3, "d2d3"), moved(4, "b7b6")];

    it("has each move once, though history and news overlap and cross", () => {
        const news = [moved(4, "b7b6"), moved(5, "d3d4")];
        const wanted = ["a7a6", "d2d3", "b7b6", "d3d4"];
        expect(shown(mergeMessages(first, news))).toEqual(wanted);
        expect(shown(mergeMessages(news, first))).toEqual(wanted);
    });

    it("loses what is taken back", () => {
        const undo = message(5, "vote", { on: "undo", agree: true, done: true, undone: 2 });
        expect(shown(mergeMessages(first, [undo, moved(6, "c7c6")]))).toEqual(["a7a6", "c7c6"]);
    });

    it("begins anew with the next game, not with the first wish for one", () => {
        const wish = message(5, "vote", { on: "next", agree: true, done: false });
        const agreed = message(6, "vote", { on: "next", agree: true, done: true });
        expect(shown(mergeMessages(first, [wish]))).toHaveLength(3);
        expect(shown(mergeMessages(first, [wish, agreed]))).toEqual([]);
        expect(shown(mergeMessages(first, [wish, agreed, moved(7, "k7k6")]))).toEqual(["k7k6"]);
    });
});

describe("what is told", () => {
    const first = [moved(2, "a7a6"), moved(3, "d2d3")];
    const told = toldAfter([], first);

    it("is the latest news, and stays when nothing happens on the board", () => {
        expect(told).toHaveLength(2);
        expect(toldAfter(told, [moved(4, "b7b6")])).toHaveLength(1);
        expect(toldAfter(told, [message(4, "vote", { on: "pause", done: true })])).toBe(told);
    });

    it("loses a move that is taken back", () => {
        const undo = message(4, "vote", { on: "undo", agree: true, done: true, undone: 1 });
        expect(toldAfter(told, [undo])).toEqual([]);
        expect(toldAfter(told, [undo, moved(5, "b7b6")])).toHaveLength(1);
    });

    it("begins anew with the next game: the end of the last one isn't told there", () => {
        const next = message(4, "vote", { on: "next", agree: true, done: true });
        expect(toldAfter(told, [next])).toEqual([]);
    });
});

describe("an earlier position", () => {
    const start = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11";
    const plies: Ply[] = [
        { move: "f7f6", seat: 0, piece: "buffalo", took: false },
        { move: "f2f3", seat: 1, piece: "chief", took: false },
        { move: "f6f5", seat: 0, piece: "buffalo", took: false },
        { move: "f3f4", seat: 1, piece: "chief", took: false },
        { move: "a7a6", seat: 0, piece: "buffalo", took: false },
        { move: "f4f5", seat: 1, piece: "chief", took: true },
    ];
    const now = "1bbbb1bbbbb/b10/5C5/11/11/3DD1DD3/11 b - - 0 1";

    it("is the start when all moves are taken back, captures included", () => {
        expect(positionAfter(now, plies, 0)).toBe(start);
    });

    it("is reached again when the moves are made one after another", () => {
        const made = plies.reduce((fen, { move }) => afterMove(fen, move), start);
        expect(made).toBe(now.split(" ")[0]);
    });

    it("is the present when none is", () => {
        expect(positionAfter(now, plies, plies.length)).toBe(now.split(" ")[0]);
    });

    it("has the buffalo back that was captured later", () => {
        expect(positionAfter(now, plies, 5)).toBe("1bbbb1bbbbb/b10/5b5/5C5/11/3DD1DD3/11");
    });
});

it("reads a move with its squares, and a capture with a cross", () => {
    expect(moveText({ move: "a7a6", took: false })).toBe("a7–a6");
    expect(moveText({ move: "f4f5", took: true })).toBe("f4×f5");
});
