// Fairy-Stockfish as a UCI program that plays our Buffalo: a bridge to its WebAssembly build, or to a native one.
//
//   node --no-experimental-fetch benches/match_fairy.cjs FOLDER [VALUES]
//   node --no-experimental-fetch benches/match_fairy.cjs PROGRAM [VALUES]
//
// FOLDER is where the npm package fairy-stockfish-nnue.wasm is installed (its own folder, outside this repository),
// PROGRAM a native executable, built with large boards.
// VALUES sets piece values for middle and end game, such as b:500,c:100,d:100; without it, its defaults count.
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const readline = require("readline");

const [place, values] = process.argv.slice(2);
if (!place || !fs.existsSync(place)) {
  console.error(`expected the folder of fairy-stockfish-nnue.wasm or a program, got ${place ?? "nothing"}`);
  process.exit(2);
}

const NAME = "stampede-buffalo";
// The hunter is white, the buffalo side black; W, Q and K are the steps of wazir, queen and king, m means "moves only",
// f "forward only".
const lines = [
  `[${NAME}]`,
  "maxRank = 7",
  "maxFile = k",
  "customPiece1 = b:mfW",
  "customPiece2 = d:mQ",
  "customPiece3 = c:K",
  "startFen = bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1",
  "mobilityRegionWhiteCustomPiece2 = *2 *3 *4 *5 *6",
  "mobilityRegionWhiteCustomPiece3 = *2 *3 *4 *5 *6",
  "flagPieceBlack = b",
  "flagRegionBlack = *1",
  "pass = false",
  "stalemateValue = loss",
  "nMoveRule = 0",
  "nFoldRule = 0",
];
if (values) {
  const text = values.split(",").join(" ");
  lines.push(`pieceValueMg = ${text}`, `pieceValueEg = ${text}`);
}

// An engine takes commands by `send`, prints its answers to standard output, and knows the variants' file by a path.
async function startWasm() {
  const engine = await require(path.resolve(place, "stockfish.js"))();
  engine.addMessageListener((line) => process.stdout.write(line + "\n"));
  engine.FS.writeFile("/variants.ini", lines.join("\n") + "\n");
  return { send: (line) => engine.postMessage(line), variants: "/variants.ini", tidy: () => {} };
}

function startNative() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "fairy-"));
  const variants = path.join(folder, "variants.ini");
  fs.writeFileSync(variants, lines.join("\n") + "\n");
  const engine = spawn(path.resolve(place), [], { stdio: ["pipe", "inherit", "inherit"] });
  const tidy = () => fs.rmSync(folder, { recursive: true, force: true });
  engine.on("exit", () => {
    tidy();
    process.exit(1);
  });
  return { send: (line) => engine.stdin.write(line + "\n"), variants, tidy };
}

async function main() {
  const engine = fs.statSync(place).isDirectory() ? await startWasm() : startNative();
  let ready = false;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (line === "quit") break;
    if (!ready && line !== "uci") {
      // Only after `uci` does it list its variants; set up before anything else is asked.
      engine.send(`setoption name VariantPath value ${engine.variants}`);
      engine.send(`setoption name UCI_Variant value ${NAME}`);
      ready = true;
    }
    engine.send(line);
  }
  engine.send("quit");
  engine.tidy();
  process.exit(0);
}

main();
