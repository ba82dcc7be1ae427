/** The board speaks, and leaves the arrow keys alone while it is played by mouse. */
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { start } from "$lib/i18n/index.svelte";
import { SAMPLE_REACH } from "../sample";
import Board from "./Board.svelte";
import { reach } from "./reach.svelte";

const FEN = "b1bbbbbbbbb/1b9/1D9/11/11/3D1CDD3/11 b - - 0 1";
const props = {
    fen: FEN,
    legal: { e7: ["e6"], f7: ["f6"], g7: ["g6"] },
    refused: [{ squares: ["b6"], reason: { code: "piece_in_front" as const, clause: "B2.5" } }],
    onmove: () => undefined,
};

beforeAll(() => start("en"));
beforeEach(() => {
    // The picture lies on the page as large as it is drawn.
    Object.assign(SVGElement.prototype, { getScreenCTM: () => ({ inverse: () => ({}) }) });
    Object.assign(globalThis, {
        DOMPoint: class {
            constructor(
                readonly x: number,
                readonly y: number,
            ) {}
            matrixTransform() {
                return this;
            }
        },
    });
});
afterEach(cleanup);

const said = () => screen.getByTestId("board-said").textContent.trim();
const press = async (...keys: string[]) => {
    for (const key of keys) await fireEvent.keyDown(screen.getByTestId("board"), { key });
};
const focus = () => fireEvent.focus(screen.getByTestId("board"));

test("all pieces are listed for screen readers, and described with the board", () => {
    render(Board, props);
    const board = screen.getByTestId("board");
    const list = document.getElementById(board.getAttribute("aria-describedby") ?? "");
    expect([...(list?.querySelectorAll("li") ?? [])].map((one) => one.textContent)).toEqual([
        "Buffaloes: a7, b6, c7, d7, e7, f7, g7, h7, i7, j7, k7",
        "Chief: f2",
        "Dogs: b5, d2, g2, h2",
    ]);
});

test("focus, choosing and letting go are told", async () => {
    render(Board, props);
    await focus();
    expect(said()).toBe("e7: buffalo, can move");
    await press("ArrowRight", "Enter");
    expect(said()).toBe("Picked up: buffalo f7. Can go to f6.");
    await press("ArrowDown");
    expect(said()).toBe("f6: empty, can go here");
    await press("Escape");
    expect(said()).toBe("Put down: buffalo f7.");
});

test("an illegal try says why, and shows it", async () => {
    const answer = { reach: SAMPLE_REACH };
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify(answer))));
    await reach.ready();
    vi.unstubAllGlobals();
    render(Board, props);
    await focus();
    await press("Enter", "ArrowDown", "ArrowDown", "Enter");
    const why = "Buffalo e7 can't go to e5: a buffalo steps one square straight ahead (B2.2).";
    expect(said()).toBe(why);
    expect(screen.getByTestId("why-not").textContent).toBe(why);
    await press("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowUp", "Enter");
    expect(said()).toBe("Buffalo b6 can't move: something stands in front of it (B2.5).");
    await press("ArrowDown", "Enter");
    expect(said()).toBe("Dog b5 isn't yours to move now.");
});

test("arrow keys are the board's by keyboard only: after the mouse they step through the moves", async () => {
    render(Board, props);
    const board = screen.getByTestId("board");
    const taken = () => {
        const event = new KeyboardEvent("keydown", {
            key: "ArrowLeft",
            bubbles: true,
            cancelable: true,
        });
        board.dispatchEvent(event);
        return event.defaultPrevented;
    };
    await focus();
    expect(taken()).toBe(true);
    await fireEvent.pointerDown(board, { button: 0, clientX: 30, clientY: 30 });
    expect(taken()).toBe(false);
    expect(await fireEvent.mouseDown(board)).toBe(false); // the mouse doesn't focus the board
    await focus();
    expect(taken()).toBe(true);
});
