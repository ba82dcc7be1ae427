// Zoff's table: pastures, hand, and the decision that is asked for.
import { el } from "/page/api.js";

// What is being put together before it is sealed; kept while the decision lasts.
let draft = { decision: null, pairs: [], pasture: null, card: null, colours: {} };

export function showZoff(place, table, act) {
  const view = table.view;
  const decision = table.decision?.id ?? null;
  if (draft.decision !== decision) draft = { decision, pairs: [], pasture: null, card: null, colours: {} };
  const draw = () =>
    place.replaceChildren(
      el("p", { class: "soft" }, view.round ? `Round ${view.round} of ${view.rounds}` : ""),
      act ? asking(view, act, draw) : el("div", {}),
      el("div", { class: "pastures" }, view.pastures.map((pasture) => field(pasture, view, act, draw))),
      laid(view),
      view.result ? result(table) : "",
    );
  draw();
}

function field(pasture, view, act, draw) {
  const choosing = act && view.legal.type === "choose" && !view.legal.sealed;
  const taken = draft.pairs.some((pair) => pair[0] === pasture.name) && view.legal.pastures?.length > 1;
  const open = choosing && view.legal.pastures.includes(pasture.name) && !taken;
  const press = () => {
    draft.pasture = pasture.name;
    join(view, draw);
  };
  const spaces = Object.entries(pasture.herds).flatMap(([colour, herd]) =>
    Array.from({ length: herd }, (_, index) => el("span", { class: `space ${colour}`, title: colour }, index ? "" : colour[0])));
  spaces.push(...Array.from({ length: pasture.free }, () => el("span", { class: "space" })));
  const kind = `pasture${open ? " pickable" : ""}${draft.pasture === pasture.name ? " on" : ""}${pasture.free ? "" : " full"}`;
  const inside = [
    el("h3", {}, pasture.name),
    el("div", { class: "spaces", "aria-label": Object.entries(pasture.herds).map(([c, n]) => `${c} ${n}`).join(", ") || "empty" }, spaces),
    el("span", { class: "soft" }, `${pasture.free} of ${pasture.capacity} free · bonus ${pasture.bonus.join("-")}`),
  ];
  return open ? el("button", { class: kind, onclick: press }, inside) : el("div", { class: kind }, inside);
}

function join(view, draw) {
  if (draft.pasture && draft.card && draft.pairs.length < view.legal.pairs) {
    const pair = [draft.pasture, draft.card];
    if (view.legal.colours.length) pair.push(view.legal.colours[draft.pairs.length]);
    draft.pairs.push(pair);
    draft.pasture = draft.card = null;
  }
  draw();
}

function asking(view, act, draw) {
  const legal = view.legal;
  const kinds = { choose, place, bonus, settle, bid, pick };
  const box = el("div", { class: "card" });
  if (legal.sealed) box.append(el("p", {}, `Sealed: ${answer(view.answer)}`), el("button", { onclick: () => act({ type: "take_back" }) }, "Take it back and change"));
  else box.append(...(kinds[legal.type]?.(view, legal, act, draw) ?? ["…"]));
  return box;
}

function answer(sealed) {
  if (sealed?.pairs) return sealed.pairs.map(([pasture, card, colour]) => `${card} on ${pasture}${colour ? ` for ${colour}` : ""}`).join(", ");
  if (sealed?.bid) return `a bid of ${sealed.bid}`;
  return "your answer";
}

function choose(view, legal, act, draw) {
  const used = draft.pairs.map((pair) => pair[1]);
  const next = legal.colours.length ? ` for ${legal.colours[draft.pairs.length] ?? "…"}` : "";
  const cards = legal.cards.map((card) =>
    el("button", { class: draft.card === card ? "on" : "", disabled: used.includes(card), onclick: () => ((draft.card = card), join(view, draw)) }, card));
  const pairs = draft.pairs.map(([pasture, card, colour], index) =>
    el("li", {}, `${card} on ${pasture}${colour ? ` for ${colour}` : ""} `, el("button", { onclick: () => (draft.pairs.splice(index), draw()) }, "remove")));
  const ready = draft.pairs.length === legal.pairs;
  return [
    el("p", {}, ready ? "Ready to seal." : `Lay pair ${draft.pairs.length + 1} of ${legal.pairs}${next}: a pasture below, and a cow card.`),
    el("div", { class: "row" }, "Your cards:", cards),
    el("ul", {}, pairs),
    el("button", { class: "main", disabled: !ready, onclick: () => act({ type: "choose", pairs: draft.pairs }) }, "Seal the choice"),
  ];
}

function place(view, legal, act) {
  return [
    el("p", {}, `How many ${legal.colour} cows on ${legal.pasture}? Your card is ${legal.card}.`),
    el("div", { class: "row" }, legal.cows.map((count) => el("button", { onclick: () => act({ type: "place", cows: count }) }, String(count)))),
  ];
}

function bonus(view, legal, act) {
  const ways = [...legal.on].sort((a, b) => b.length - a.length);
  return [
    el("p", {}, `${legal.from} pays ${legal.colour} a bonus of ${legal.cows}. Where to?`),
    el("div", { class: "row" }, ways.slice(0, 150).map((way) => el("button", { onclick: () => act({ type: "bonus", on: way }) }, way.length ? way.join(" + ") : "nowhere"))),
  ];
}

function settle(view, legal, act, draw) {
  const rows = legal.pastures.map((pasture) =>
    el("div", { class: "row" }, pasture, legal.colours.map((colour) =>
      el("button", { class: draft.colours[pasture] === colour ? "on" : "", onclick: () => ((draft.colours[pasture] = colour), draw()) }, colour))));
  const chosen = new Set(Object.values(draft.colours));
  const ready = Object.keys(draft.colours).length === legal.pastures.length && chosen.size === 2;
  return [
    el("p", {}, "Put a cow on each of your three pastures, both colours at least once (Z10.2)."),
    ...rows,
    el("button", { class: "main", disabled: !ready, onclick: () => act({ type: "settle", colours: draft.colours }) }, "Settle"),
  ];
}

function bid(view, legal, act) {
  const field_ = el("input", { value: legal.least === "0" ? "0.5" : legal.least, inputMode: "decimal", size: 8 });
  return [
    el("p", {}, `Your secret bid for the first pick of a colour, ${legal.least} or more; it is taken off your cows.`),
    el("div", { class: "row" }, field_, el("button", { class: "main", onclick: () => act({ type: "bid", bid: field_.value.trim() }) }, "Bid")),
  ];
}

function pick(view, legal, act) {
  return [
    el("p", {}, "Pick your colour."),
    el("div", { class: "row" }, legal.colours.map((colour) => el("button", { onclick: () => act({ type: "pick", colour }) }, el("span", { class: `chip ${colour}` }, colour)))),
  ];
}

function laid(view) {
  if (!view.laid.length) return el("div", {});
  const waiting = [...view.line, ...view.waiting];
  const rows = view.laid.map((pair) => {
    const left = waiting.some((other) => other.pasture === pair.pasture && other.colour === pair.colour);
    return el("li", {}, el("span", { class: `chip ${pair.colour}` }, pair.colour), ` ${pair.card} on ${pair.pasture}${left ? "" : " ✓"}`);
  });
  return el("section", { class: "card" }, el("h2", {}, "This round's pairs"), el("ul", {}, rows));
}

function result(table) {
  const { result: end, seats } = table.view;
  const order = seats.map((_, seat) => seat).sort((a, b) => end.scores[b] - end.scores[a]);
  const rows = order.map((seat) => {
    const player = table.players.find((one) => one.seat === seat);
    return el("li", {}, seats[seat].colours.map((colour) => [el("span", { class: `chip ${colour}` }, colour), " "]).flat(), `${player.name}: ${end.scores[seat]}${end.winners.includes(seat) ? " – wins" : ""}`);
  });
  return el("section", { class: "card" }, el("h2", {}, "Result"), el("ol", {}, rows));
}
