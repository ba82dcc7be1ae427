// Home: play now against bots, tables that wait for somebody, your own tables.
import { api, command, el, newKey, tell } from "/page/api.js";

const remembered = () => localStorage.getItem("name") || "You";

export async function showHome(main) {
  const name = el("input", { value: remembered(), maxLength: 40, oninput: () => localStorage.setItem("name", name.value) });
  const lists = el("div", { class: "columns" });
  let games;
  try {
    await api("GET", "/api/me");
    games = Object.fromEntries((await api("GET", "/api/games")).games.map((game) => [game.name, game]));
  } catch (error) {
    main.replaceChildren(el("p", {}, error.message));
    return;
  }
  main.replaceChildren(
    el("h1", {}, "Two games that can't be bought any more"),
    el("label", { class: "row" }, "Your name", name),
    el("div", { class: "columns" }, zoffDoor(games.zoff, name), buffaloDoor(games.buffalo, name)),
    el("p", {}),
    lists,
  );
  for (const [title, path] of [["Your tables", "/api/tables/mine"], ["Open tables", "/api/tables?status=open"], ["Watch", "/api/tables?status=running"]]) {
    lists.append(await tableList(title, path));
  }
}

async function tableList(title, path) {
  const { tables } = await api("GET", path);
  const rows = tables.slice(0, 12).map((table) => {
    const people = table.players.map((player) => (player.kind === "open" ? "…" : player.name)).join(", ");
    return el("li", {}, el("a", { href: `/t/${table.table}` }, `${table.game === "zoff" ? "Zoff" : "Buffalo"}: ${people}`), ` (${table.status})`);
  });
  return el("section", { class: "card" }, el("h2", {}, title), rows.length ? el("ul", {}, rows) : el("p", { class: "soft" }, "None yet."));
}

function choice(options, chosen) {
  return el("select", {}, options.map(([value, text]) => el("option", { value, selected: String(value) === String(chosen) }, text)));
}

function levels(game) {
  const words = (bot) => bot.replace(/^.*-(\d+)$/, "level $1");
  return choice(game.bots.map((bot) => [bot, words(bot)]), game.bots[Math.floor(game.bots.length / 2) - 1]);
}

function doors(title, text, fields, open) {
  const others = choice([["bots", "bots"], ["friends", "friends, by a link"], ["public", "anybody who comes"]], "bots");
  const button = el("button", { class: "main", onclick: () => press(button, () => open(others.value)) }, "Play now");
  return el(
    "section",
    { class: "card" },
    el("h2", {}, title),
    el("p", {}, text),
    el("label", {}, "Against", others),
    fields.map(([label, field]) => el("label", {}, label, field)),
    el("p", {}, button),
  );
}

async function press(button, work) {
  button.disabled = true;
  try {
    await work();
  } catch (error) {
    tell(error.message);
  }
  button.disabled = false;
}

function zoffDoor(game, name) {
  const players = choice(game.players.map((n) => [n, n]), 4);
  const level = levels(game);
  const variants = game.variants.map((variant) => [variant.replace("_", " "), el("input", { type: "checkbox", name: variant })]);
  return doors(
    "Zoff in Buffalo",
    "Everyone lays two pairs of a pasture and a cow card in secret. The larger herd goes first, no two herds may be equal, and full pastures pay bonuses that can fill the next. Most cows win. About 20 minutes.",
    [["Players", players], ["Bots", level], ...variants],
    (others) => {
      const rules = Object.fromEntries(variants.map(([, box]) => [box.name, box.checked]));
      return open("zoff", others, 0, Number(players.value), level.value, { rules }, name.value);
    },
  );
}

function buffaloDoor(game, name) {
  const side = choice([[0, "the buffaloes"], [1, "the hunter"]], 0);
  const series = choice([["rematch", "single games"], ["ladder", "the ladder"], ["both_sides", "both sides in turn"]], "rematch");
  const level = levels(game);
  return doors(
    "Buffalo",
    "Eleven buffaloes run for the far bank; one that arrives wins. A chief, who captures, and four dogs, who only block, try to stop them. About 10 minutes.",
    [["You play", side], ["Bot", level], ["Series", series]],
    (others) => open("buffalo", others, Number(side.value), 2, level.value, { series: series.value }, name.value),
  );
}

async function open(game, others, chair, players, level, more, name) {
  const chairs = Array.from({ length: players }, (_, index) => (others === "bots" && index !== chair ? { bot: level } : {}));
  const opened = await api("POST", "/api/tables", { key: newKey(), game, chairs, public: others === "public", ...more });
  await command(opened.table, { type: "claim", player: chair, name: name.trim() || "You", salt: newKey() });
  sessionStorage.setItem(`invite:${opened.table}`, opened.invite);
  location.href = `/t/${opened.table}`;
}
