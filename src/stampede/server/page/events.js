// What happened, in short English sentences.
const who = (view, seat) => view?.players.find((player) => player.seat === seat)?.name ?? `Seat ${seat}`;
const cows = (number) => `${number} ${number === 1 ? "cow" : "cows"}`;
const card = (text) => (text ? ` with ${text}` : "");

const EVENTS = {
  moved: (e, v) => `${who(v, e.seat)}: ${e.piece} ${e.move}.`,
  captured: (e) => `The buffalo on ${e.square} is captured.`,
  revealed: (e, v) => (e.choice ? `${who(v, e.seat)} lays ${e.choice.pairs.map(([pasture, c]) => `${c} on ${pasture}`).join(" and ")}.` : null),
  precedence: (e, v) => (e.turns.length > 1 ? `${e.pasture}: first ${e.turns.map((turn) => turn.colour).join(", then ")} (${e.turns[0].reason.clause}).` : null),
  placed: (e, v) => `${e.colour} places ${cows(e.cows)} on ${e.pasture}${card(e.card)}${refusals(e)}.`,
  wasted: (e) => `${e.colour} wastes a card: ${e.pasture} is full.`,
  filled: (e) => `${e.pasture} is full, by ${e.colour}.`,
  bonus_placed: (e) => `Bonus from ${e.source} for ${e.colour}: ${e.on.length ? e.on.join(", ") : "none placed"}.`,
  final_bonus: (e) => `Final bonus on ${e.pasture}: ${cows(e.cows)} of ${e.colour}.`,
  round_ended: (e) => `Round ${e.round} is over.`,
  settled: (e, v) => `${who(v, e.seat)} settles ${Object.entries(e.settle.colours ?? {}).map(([p, c]) => `${c} on ${p}`).join(", ")}.`,
  bid_shown: (e, v) => `${who(v, e.seat)} bids ${e.bid}.`,
  picked: (e, v) => `${who(v, e.seat)} takes ${e.colour}.`,
  ended: () => "The game is over.",
};

function refusals(event) {
  const equal = (event.refused || []).filter(([, reason]) => reason.code === "equal_herd").map(([number]) => number);
  return equal.length ? ` (not ${equal.join(", ")}: herds would be equal, Z4.4)` : "";
}

const COMMANDS = {
  claim: (m) => `${m.data.name} sits down.`,
  leave: (m, v) => `${v?.players[m.player]?.name ?? "Somebody"} leaves.`,
  start: () => "The game begins.",
  resign: (m, v) => `${v?.players[m.player]?.name ?? "Somebody"} resigns.`,
  vote: (m, v) => `${v?.players[m.player]?.name ?? "Somebody"} ${m.data.agree ? "agrees to" : "declines"}: ${m.data.on}.`,
  expire: () => "Somebody's time has run out.",
  return: (m, v) => `${v?.players[m.player]?.name ?? "Somebody"} is back.`,
};

export function sentences(message, view) {
  const told = message.events.map((event) => EVENTS[event.kind]?.(event, view)).filter(Boolean);
  const command = COMMANDS[message.kind]?.(message, view);
  return command ? [command, ...told] : told;
}
