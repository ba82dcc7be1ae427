// A table: one socket, one view at a time. It resumes by itself, and says so.
import { api, command, el, newKey, pause, tell } from "/page/api.js";
import { showBuffalo } from "/page/buffalo.js";
import { sentences } from "/page/events.js";
import { showZoff } from "/page/zoff.js";

const GAMES = { buffalo: showBuffalo, zoff: showZoff };

export async function showTable(main, id) {
  const link = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, "", location.pathname); // the token doesn't stay in the address
  try {
    await api("GET", "/api/me");
    if (link.get("seat")) await command(id, { type: "move_chair", player: Number(link.get("player")) }, link.get("seat"));
  } catch (error) {
    tell(error.message);
  }
  if (link.get("invite")) sessionStorage.setItem(`invite:${id}`, link.get("invite"));
  new Table(main, id).run();
}

class Table {
  constructor(main, id) {
    this.id = id;
    this.invite = sessionStorage.getItem(`invite:${id}`);
    this.seq = undefined;
    this.waiting = new Map();
    this.status = el("p", { class: "ask", "aria-live": "polite" });
    this.game = el("div", {});
    this.players = el("ul", { class: "players" });
    this.tools = el("div", { class: "row" });
    this.log = el("ol", { class: "log", "aria-label": "What happened" });
    this.fair = el("p", { class: "soft" });
    main.replaceChildren(
      el("div", { class: "table" },
        el("section", {}, this.status, this.game),
        el("aside", {}, el("section", { class: "card" }, el("h2", {}, "Players"), this.players, this.tools, this.fair),
          el("p", {}), el("section", { class: "card" }, el("h2", {}, "What happened"), this.log))),
    );
  }

  // --- the connection ---

  async run() {
    for (let failures = 0; !this.gone; failures++) {
      await this.connect(() => (failures = 0));
      if (this.gone) return;
      this.shown("connection lost; trying again …");
      await pause(Math.min(5000, 250 * 2 ** failures));
    }
  }

  connect(ready) {
    const since = this.seq === undefined ? "" : `?since=${this.seq}`;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const offers = this.invite ? ["stampede", `token.${this.invite}`] : ["stampede"];
    return new Promise((closed) => {
      const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/socket${since}`, offers);
      this.socket = socket;
      socket.onmessage = ({ data }) => {
        ready();
        this.take(JSON.parse(data));
      };
      socket.onclose = ({ code }) => {
        if (code === 4404 || code === 4403) this.end("There is no such table here, or you need its invitation.");
        closed();
      };
    });
  }

  take(frame) {
    if (frame.type === "ping") this.socket.send('{"type":"pong"}');
    if (frame.type === "ack") this.waiting.delete(frame.key);
    if (frame.type === "error") this.refused(frame);
    if (frame.type === "welcome") {
      this.shown("connected");
      for (const [key, what] of this.waiting) this.send(key, what);
    }
    if (frame.messages) this.tellMessages(frame.messages);
    if (frame.view) {
      this.seq = frame.seq;
      this.show(frame.view);
    }
  }

  refused(frame) {
    if (frame.key) this.waiting.delete(frame.key);
    tell(frame.message);
    if (frame.view || this.view) this.show(frame.view || this.view);
  }

  send(key, what) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type: "command", key, command: what }));
  }

  command(what) {
    const key = newKey();
    this.waiting.set(key, what);
    this.send(key, what);
  }

  shown(text) {
    document.getElementById("connection").textContent = text;
  }

  end(text) {
    this.gone = true;
    this.shown("");
    this.status.textContent = text;
  }

  // --- the view ---

  show(view) {
    this.view = view;
    const me = view.you;
    this.status.textContent = this.ask(view);
    document.title = view.decision?.awaited.includes(me) ? "● Your turn – Stampede" : "Stampede";
    this.players.replaceChildren(...view.players.map((player) => this.playerRow(player)));
    this.tools.replaceChildren(...this.toolButtons(view));
    const deal = view.deal || view.next_deal;
    this.fair.textContent = `Fair deal: ${deal.commitment.slice(0, 16)}…${deal.seed ? " (seed shown in the record)" : ""}`;
    this.fair.title = deal.commitment;
    if (!view.view) {
      this.game.replaceChildren(el("p", { class: "card" }, "The game begins when every chair is taken."));
      return;
    }
    const act = (action) => {
      this.status.textContent = "…"; // until the server has it
      GAMES[view.game](this.game, view, null);
      this.command({ type: "act", player: me, decision: view.decision.id, action });
    };
    const mine = me !== null && view.phase === "playing";
    const choosing = mine && (view.decision?.awaited.includes(me) || view.view.answer);
    GAMES[view.game](this.game, view, choosing ? act : null);
  }

  ask(view) {
    const names = (players) => players.map((player) => view.players[player].name).join(", ");
    if (view.phase === "lobby") return "Waiting for players.";
    if (view.phase === "paused") return "Paused.";
    if (view.phase === "closed") return "This table is closed.";
    if (view.phase === "over") {
      const last = view.results.at(-1);
      if (last.aborted) return "The game was called off.";
      return last.winners.includes(view.you) ? "You have won!" : `${names(last.winners)} won.`;
    }
    if (view.decision.awaited.includes(view.you)) return "Your turn.";
    return `Waiting for ${names(view.decision.awaited)} …`;
  }

  playerRow(player) {
    const seat = this.view.game === "buffalo" ? ["buffaloes", "hunter"][player.seat] : "";
    const zoff = this.view.game === "zoff" && this.view.view ? this.view.view.seats[player.seat] : null;
    const chips = zoff ? zoff.colours.map((colour) => el("span", { class: `chip ${colour}` }, colour)) : [];
    const note = player.kind === "open" ? "free chair" : player.kind === "bot" ? `bot, ${player.level}` : player.absent ? "away, a bot plays" : "";
    const placed = zoff ? ` ${zoff.placed} placed` : "";
    return el("li", { class: player.awaited ? "awaited" : "" },
      el("span", {}, player.kind === "open" ? "…" : player.name, player.player === this.view.you ? " (you)" : "", " ", ...chips),
      el("span", { class: "soft" }, `${seat}${placed} ${note}`));
  }

  toolButtons(view) {
    const me = view.you;
    const tools = [];
    const add = (text, work) => tools.push(el("button", { onclick: work }, text));
    if (me === null && view.players.some((player) => player.free)) add("Sit down", () => this.sit());
    if (me === null) return tools;
    const host = view.players[me].host;
    if (view.phase === "lobby" && host) add("Start, with bots on free chairs", () => this.command({ type: "start", fill: this.level() }));
    if (view.players.some((player) => player.free)) add("Copy invitation", () => this.copyInvite());
    if (view.players[me].absent) add("I'm back", () => this.command({ type: "return", player: me }));
    if (view.phase === "playing" && view.game === "buffalo") {
      add("Resign", () => confirm("Give this game up?") && this.command({ type: "resign", player: me }));
      add("Take back", () => this.command({ type: "vote", player: me, on: "undo", decision: view.decision.id }));
    }
    for (const proposal of view.proposals) {
      if (!proposal.agreed.includes(me)) add(`Agree to ${proposal.on}`, () => this.command({ type: "vote", player: me, on: proposal.on, decision: view.decision?.id ?? "" }));
    }
    if (view.phase === "over") add("Next game", () => this.next());
    if (view.phase === "over") tools.push(el("a", { href: `/api/tables/${this.id}/record`, download: "game.json" }, "Record"));
    add("Move to another device", () => this.copySeat());
    add("Leave", () => confirm("Leave this table for good?") && this.command({ type: "leave", player: me }));
    return tools;
  }

  level() {
    return this.view.players.find((player) => player.level)?.level || "random";
  }

  next() {
    const { series, you } = this.view;
    let choice = [];
    if (series.chooser !== null && series.series === "ladder" && this.view.players[you].seat === series.chooser) {
      const text = prompt(`Which ${series.rung} buffaloes stay at home? (letters a to k)`, "abcdefghijk".slice(0, series.rung));
      if (text === null) return;
      choice = [...text.toLowerCase().replace(/[^a-k]/g, "")];
    }
    this.command({ type: "vote", player: you, on: "next", choice });
  }

  async sit() {
    const name = prompt("Your name?", localStorage.getItem("name") || "");
    if (!name) return;
    try {
      await command(this.id, { type: "claim", name: name.trim(), salt: newKey() }, this.invite);
      location.reload();
    } catch (error) {
      tell(error.message);
    }
  }

  async copyInvite() {
    const hash = this.invite ? `#invite=${this.invite}` : "";
    this.copy(`${location.origin}/t/${this.id}${hash}`);
  }

  async copySeat() {
    try {
      const ack = await command(this.id, { type: "seat_link", player: this.view.you });
      this.copy(`${location.origin}/t/${this.id}#seat=${ack.token}&player=${this.view.you}`);
    } catch (error) {
      tell(error.message);
    }
  }

  copy(text) {
    navigator.clipboard?.writeText(text).then(() => tell("The link is copied."), () => {});
    prompt("The link:", text);
  }

  tellMessages(messages) {
    for (const message of messages) {
      for (const text of sentences(message, this.view)) this.log.prepend(el("li", {}, text));
    }
    while (this.log.children.length > 200) this.log.lastChild.remove();
  }
}
