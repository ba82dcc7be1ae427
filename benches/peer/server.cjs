// boardgame.io with a trivial game, for `python -m benches server --peer`.
// Usage: node server.cjs PACKAGES PORT memory|FOLDER; a folder is where FlatFile keeps its matches.
const { createRequire } = require("node:module");
const { join } = require("node:path");

const [packages, port, store] = process.argv.slice(2);
const load = createRequire(join(packages, "package.json"));
const { Server, FlatFile } = load("boardgame.io/server");

// Two players count in turn: no rules to speak of, no secrets, no end.
const game = {
  name: "count",
  setup: () => ({ count: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    add: ({ G }) => {
      G.count += 1;
    },
  },
};

const db = store === "memory" ? undefined : new FlatFile({ dir: store });
const server = Server({ games: [game], origins: [/localhost|127\.0\.0\.1/], ...(db && { db }) });
server.run(Number(port)).then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));
