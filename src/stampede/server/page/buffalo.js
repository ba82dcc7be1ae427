// Buffalo's board: click a piece, then where it goes. The server says where that is.
import { el } from "/page/api.js";

const SIZE = 60;
const FILES = "abcdefghijk";
const NAMES = { b: "buffalo", C: "chief", D: "dog" };
let chosen = null;

export function showBuffalo(place, table, act) {
  const view = table.view;
  const legal = (act && view.legal && view.legal.moves) || {};
  if (!legal[chosen]) chosen = null;
  const draw = () => place.replaceChildren(board(view, legal, choose), facts(view));
  const choose = (square) => {
    if (chosen && legal[chosen].includes(square)) {
      const move = chosen + square;
      chosen = null;
      act(move);
      return;
    }
    chosen = legal[square] ? square : null;
    draw();
  };
  draw();
}

function pieces(fen) {
  const found = {};
  fen.split(" ")[0].split("/").forEach((row, index) => {
    let file = 0;
    for (const part of row.match(/\d+|[a-zA-Z]/g)) {
      if (/\d/.test(part)) file += Number(part);
      else found[FILES[file++] + (7 - index)] = part;
    }
  });
  return found;
}

function board(view, legal, choose) {
  const on = pieces(view.fen);
  const svg = el("svg", { class: "board", viewBox: `-20 -5 ${11 * SIZE + 25} ${7 * SIZE + 30}`, role: "group", "aria-label": "Buffalo's board" });
  const targets = chosen ? legal[chosen] : [];
  for (let rank = 7; rank >= 1; rank--) {
    svg.append(el("text", { x: -17, y: (7 - rank) * SIZE + 35 }, String(rank)));
    for (const file of FILES) svg.append(field(file + rank, on, view, legal, targets, choose));
  }
  for (const [index, file] of [...FILES].entries()) svg.append(el("text", { x: index * SIZE + 26, y: 7 * SIZE + 18 }, file));
  for (const y of [SIZE, 6 * SIZE]) svg.append(el("line", { class: "river", x1: 0, x2: 11 * SIZE, y1: y, y2: y }));
  return svg;
}

function field(square, on, view, legal, targets, choose) {
  const x = FILES.indexOf(square[0]) * SIZE;
  const y = (7 - Number(square[1])) * SIZE;
  const bank = "17".includes(square[1]);
  const live = legal[square] || targets.includes(square);
  const name = `${square}${on[square] ? ` ${NAMES[on[square]]}` : ""}`;
  const press = live ? () => choose(square) : undefined;
  const group = el("g", {
    role: live ? "button" : undefined,
    tabindex: live ? 0 : undefined,
    "aria-label": name,
    "data-square": square,
    onclick: press,
    onkeydown: press && ((event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), press())),
  });
  if (!live) {
    group.removeAttribute("role");
    group.removeAttribute("tabindex");
  }
  group.append(el("rect", { class: bank ? "square bank" : "square", x, y, width: SIZE, height: SIZE }));
  const last = view.last_move;
  if (last && [last.slice(0, 2), last.slice(2)].includes(square)) group.append(el("rect", { class: "last", x, y, width: SIZE, height: SIZE }));
  if (on[square]) group.append(piece(on[square], x + SIZE / 2, y + SIZE / 2));
  if (square === chosen) group.append(el("rect", { class: "chosen", x: x + 3, y: y + 3, width: SIZE - 6, height: SIZE - 6, rx: 6 }));
  if (targets.includes(square)) group.append(el("circle", { class: "target", cx: x + SIZE / 2, cy: y + SIZE / 2, r: on[square] ? 25 : 10 }));
  return group;
}

function piece(kind, x, y) {
  const group = el("g", { transform: `translate(${x} ${y})`, "pointer-events": "none" });
  if (kind === "b") {
    group.append(
      el("path", { d: "M-20 -14c1 9 8 10 12 9h16c4 1 11 0 12-9c-3 4-7 5-11 4h-18c-4 1-8 0-11-4z", fill: "#efe3c8", stroke: "#3b2413" }),
      el("path", { d: "M-12 -8q12 -8 24 0q3 12 -4 22q-8 10 -16 0q-7 -10 -4 -22z", fill: "#5b3a21", stroke: "#2f1c0e" }),
      el("circle", { cx: -5, cy: 2, r: 1.8, fill: "#fff" }),
      el("circle", { cx: 5, cy: 2, r: 1.8, fill: "#fff" }),
    );
  } else if (kind === "D") {
    group.append(
      el("path", { d: "M-14 -16l6 8h16l6 -8v16q-3 16 -14 18q-11 -2 -14 -18z", fill: "#8d8d93", stroke: "#3c3c42" }),
      el("circle", { cx: -5, cy: 0, r: 2, fill: "#222" }),
      el("circle", { cx: 5, cy: 0, r: 2, fill: "#222" }),
      el("ellipse", { cx: 0, cy: 11, rx: 4, ry: 3, fill: "#222" }),
    );
  } else {
    group.append(
      el("path", { d: "M-18 20q3 -22 18 -22q15 0 18 22z", fill: "#a4521f", stroke: "#4a230b" }),
      el("circle", { cx: 0, cy: -5, r: 9, fill: "#c99b6d", stroke: "#4a230b" }),
      el("path", { d: "M-20 -9q20 7 40 0l-11 -3q-2 -11 -9 -11q-7 0 -9 11z", fill: "#5c4127", stroke: "#2f1c0e" }),
    );
  }
  return group;
}

function facts(view) {
  const opening = view.opening ? ` Opening turn: ${view.opening.left} steps left.` : "";
  return el("p", { class: "soft" }, `Captured: ${view.captured.length}.${opening}`);
}
