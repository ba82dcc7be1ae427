// Fairy-Stockfish as a UCI program that plays our Buffalo: a bridge to its WebAssembly build.
//
//   node --no-experimental-fetch benches/match_fairy.cjs FOLDER [VALUES]
//
// FOLDER is where the npm package fairy-stockfish-nnue.wasm is installed (its own folder, outside this repository).
// VALUES sets piece values for middle and end game, such as b:500,c:100,d:100; without it, its defaults count.
"use strict";

const path = require("path");
const readline = require("readline");

const [folder, values] = process.argv.slice(2);
if (!folder) {
  console.error("expected the folder of fairy-stockfish-nnue.wasm, got nothing");
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

async function main() {
  const engine = await require(path.resolve(folder, "stockfish.js"))();
  engine.addMessageListener((line) => process.stdout.write(line + "\n"));
  engine.FS.writeFile("/variants.ini", lines.join("\n") + "\n");
  const setUp = ["setoption name VariantPath value /variants.ini", `setoption name UCI_Variant value ${NAME}`];
  let ready = false;
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (line === "quit") break;
    if (!ready && line !== "uci") {
      // Only after `uci` does it list its variants; set up before anything else is asked.
      setUp.forEach((command) => engine.postMessage(command));
      ready = true;
    }
    engine.postMessage(line);
  }
  engine.postMessage("quit");
  process.exit(0);
}

main();
