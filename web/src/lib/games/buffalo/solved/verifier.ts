/**
 * Checks a certificate of the buffalo side's wins: the server's format and rules (docs/certificates.md), written anew.
 *
 * Such a certificate needs no tablebase. It lists positions with the buffalo side to move and a move for each; after the
 * move, whatever the hunter does must lead to another listed position, or to one that is won at once. Nothing here is
 * shared with the server: two programs that agree are harder to doubt than one.
 */

const WIDTH = 11;
/** Squares of the prairie, a2 to k6; a2 is the board's square 11. */
const PLACES = 55;
const FIRST = 11;
const PLANES = 12;
const HUNTER_BITS = 30;
const MAGIC = "BUFFCERT";

/** A certificate is invalid, or not of the kind that can be checked here. */
export class Fault extends Error {
    constructor(
        readonly kind: "damaged" | "tablebases" | "missing" | "illegal",
        readonly place: string,
    ) {
        super(`${kind}: ${place}`);
    }
}

export type Report = { positions: number; replies: number; claims: string[] };

type Header = {
    format: string;
    version: number;
    width: number;
    winner: string;
    claims: { position: string; by: number }[];
    tables: string[];
    recognisers: unknown[];
    positions: number;
    blocks: number;
    body: string;
};

/** A position: the rank of each file's buffalo (0: none), the chief's square, the dogs' squares. */
type Position = { ranks: number[]; chief: number; dogs: number[] };

/** The listed positions: for every arrangement of buffaloes, those of the hunter. */
type Listed = Map<number, Map<number, number>>;

const fileOf = (square: number) => square % WIDTH;
const rowOf = (square: number) => Math.floor(square / WIDTH);

// --- reading ---

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
    return value;
});

function crc32(...parts: Uint8Array[]): number {
    let value = 0xffffffff;
    for (const part of parts)
        for (const byte of part) value = CRC_TABLE[(value ^ byte) & 255]! ^ (value >>> 8);
    return (value ^ 0xffffffff) >>> 0;
}

async function inflate(data: Uint8Array, size: number, place: string): Promise<Uint8Array> {
    try {
        const copy = new Uint8Array(data);
        const stream = new Blob([copy]).stream().pipeThrough(new DecompressionStream("deflate"));
        const found = new Uint8Array(await new Response(stream).arrayBuffer());
        if (found.length === size) return found;
    } catch {
        // It isn't what was compressed: the same fault.
    }
    throw new Fault("damaged", place);
}

async function hexDigest(data: Uint8Array): Promise<string> {
    const found = await crypto.subtle.digest("SHA-256", new Uint8Array(data));
    return Array.from(new Uint8Array(found), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function readHeader(file: Uint8Array, view: DataView): { header: Header; end: number } {
    if (file.length < 16 || new TextDecoder().decode(file.subarray(0, 8)) !== MAGIC)
        throw new Fault("damaged", "byte 0");
    const end = 16 + view.getUint32(8, true);
    const text = file.subarray(16, end);
    if (end > file.length || crc32(text) !== view.getUint32(12, true))
        throw new Fault("damaged", "header");
    return { header: JSON.parse(new TextDecoder().decode(text)) as Header, end };
}

/** All blocks: positions as [buffaloes, hunters, move], in the file's order. */
async function readBlocks(file: Uint8Array, view: DataView, header: Header, begin: number) {
    const rows: [number, number, number][] = [];
    let at = begin;
    let last = -1n;
    for (let block = 0; block < header.blocks; block++) {
        const place = `block ${block}`;
        if (at + 12 > file.length) throw new Fault("damaged", place);
        const [count, length] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
        const data = file.subarray(at + 12, at + 12 + length);
        if (crc32(file.subarray(at, at + 8), data) !== view.getUint32(at + 8, true))
            throw new Fault("damaged", place);
        const planes = await inflate(data, PLANES * count, place);
        let key = 0n;
        for (let index = 0; index < count; index++) {
            const byte = (plane: number) => planes[plane * count + index]!;
            let delta = 0n;
            for (let plane = 7; plane >= 0; plane--) delta = (delta << 8n) | BigInt(byte(plane));
            key += delta;
            if (key <= last) throw new Fault("damaged", `${place}, position ${index}`);
            last = key;
            const buffaloes = Number(key >> BigInt(HUNTER_BITS));
            const hunters = Number(key & ((1n << BigInt(HUNTER_BITS)) - 1n));
            if (byte(10) | byte(11)) throw new Fault("tablebases", `${place}, position ${index}`);
            rows.push([buffaloes, hunters, byte(8) | (byte(9) << 8)]);
        }
        at += 12 + length;
    }
    const whole = at === file.length && rows.length === header.positions;
    if (!whole || (await hexDigest(file.subarray(begin))) !== header.body)
        throw new Fault("damaged", "end");
    return rows;
}

// --- positions ---

function packBuffaloes(ranks: readonly number[]): number {
    let key = 0;
    for (let file = WIDTH - 1; file >= 0; file--) key = key * 8 + ranks[file]!;
    return key;
}

function packHunters(chief: number, dogs: readonly number[]): number {
    let key = 0;
    for (const dog of [...dogs].sort((a, b) => b - a)) key = key * 64 + dog;
    return key * 64 + chief;
}

function unpack(buffaloes: number, hunters: number): Position | null {
    const ranks: number[] = [];
    for (let file = 0, rest = buffaloes; file < WIDTH; file++, rest = Math.floor(rest / 8))
        ranks.push(rest % 8);
    const squares: number[] = [];
    for (let piece = 0, rest = hunters; piece < 5; piece++, rest = Math.floor(rest / 64))
        squares.push(rest % 64);
    const [chief = 0, ...dogs] = squares;
    const taken = new Set(squares);
    const inOrder = dogs.every((dog, index) => index === 0 || dog > dogs[index - 1]!);
    const free = ranks.every(
        (rank, file) =>
            rank !== 1 && !(rank >= 2 && rank <= 6 && taken.has((rank - 2) * WIDTH + file)),
    );
    const sound = taken.size === 5 && squares.every((square) => square < PLACES);
    return sound && inOrder && free ? { ranks, chief, dogs } : null;
}

const mirrorSquare = (square: number) => square + WIDTH - 1 - 2 * fileOf(square);

const mirror = ({ ranks, chief, dogs }: Position): Position => ({
    ranks: [...ranks].reverse(),
    chief: mirrorSquare(chief),
    dogs: dogs.map(mirrorSquare),
});

function isListed(board: Position, listed: Listed): boolean {
    const has = ({ ranks, chief, dogs }: Position) =>
        listed.get(packBuffaloes(ranks))?.has(packHunters(chief, dogs)) ?? false;
    return has(board) || has(mirror(board));
}

// --- rules (B2) ---

const isNear = (one: number, other: number) =>
    Math.abs(fileOf(one) - fileOf(other)) <= 1 && Math.abs(rowOf(one) - rowOf(other)) <= 1;

function occupied({ ranks, chief, dogs }: Position): Set<number> {
    const found = new Set([chief, ...dogs]);
    ranks.forEach((rank, file) => {
        if (rank >= 2 && rank <= 6) found.add((rank - 2) * WIDTH + file);
    });
    return found;
}

/** The square of the prairie ahead of a file's buffalo, which is on rank 3 or higher. */
const ahead = (rank: number, file: number) => (rank - 3) * WIDTH + file;

/** The buffalo side to move: one crosses, or one steps to rank 2 where the chief can't take it. */
function winsAtOnce(board: Position, taken: Set<number>): boolean {
    return board.ranks.some(
        (rank, file) =>
            rank === 2 ||
            (rank === 3 && !taken.has(ahead(rank, file)) && !isNear(board.chief, file)),
    );
}

/** The hunter to move: two buffaloes are on rank 2, or one that the chief can't take. */
function cannotBeStopped({ ranks, chief }: Position): boolean {
    const low = ranks.flatMap((rank, file) => (rank === 2 ? [file] : []));
    return low.length >= 2 || low.some((file) => !isNear(chief, file));
}

const STEPS = [-1, 0, 1].flatMap((rank) =>
    [-1, 0, 1].flatMap((file) => (rank || file ? [[file, rank] as const] : [])),
);

/** The positions after every move of the hunter. */
function* hunterMoves(board: Position): Generator<Position> {
    const taken = occupied(board);
    const { ranks, chief, dogs } = board;
    for (const [file, row] of STEPS) {
        const [toFile, toRow] = [fileOf(chief) + file, rowOf(chief) + row];
        if (toFile < 0 || toFile >= WIDTH || toRow < 0 || toRow >= 5) continue;
        const to = toRow * WIDTH + toFile;
        if (dogs.includes(to)) continue;
        const captured = ranks[toFile] === toRow + 2;
        const left = captured ? ranks.map((rank, at) => (at === toFile ? 0 : rank)) : ranks;
        yield { ranks: left, chief: to, dogs };
    }
    for (const [index, dog] of dogs.entries())
        for (const [file, row] of STEPS)
            for (let count = 1; ; count++) {
                const [toFile, toRow] = [fileOf(dog) + count * file, rowOf(dog) + count * row];
                const to = toRow * WIDTH + toFile;
                const onPrairie = toFile >= 0 && toFile < WIDTH && toRow >= 0 && toRow < 5;
                if (!onPrairie || taken.has(to)) break;
                yield { ranks, chief, dogs: dogs.map((old, at) => (at === index ? to : old)) };
            }
}

/** How many of the hunter's replies were checked; throws at the first that isn't met. */
function checkReplies(board: Position, listed: Listed, place: string): number {
    if (cannotBeStopped(board)) return 0;
    let replies = 0;
    for (const after of hunterMoves(board)) {
        replies += 1;
        if (!winsAtOnce(after, occupied(after)) && !isListed(after, listed))
            throw new Fault("missing", place);
    }
    return replies;
}

function checkPosition(board: Position, move: number, listed: Listed, place: string): number {
    const [from, to] = [move & 127, move >> 7];
    const [file, rank] = [fileOf(from), rowOf(from) + 1];
    if (board.ranks[file] !== rank || rank < 2) throw new Fault("illegal", place);
    const ranks = [...board.ranks];
    if (to === from) {
        // It is won even without this buffalo.
        ranks[file] = 0;
        const without = { ...board, ranks };
        if (!winsAtOnce(without, occupied(without)) && !isListed(without, listed))
            throw new Fault("missing", place);
        return 0;
    }
    if (to !== from - WIDTH) throw new Fault("illegal", place);
    if (rank === 2) return 0; // it crosses
    if (occupied(board).has(ahead(rank, file))) throw new Fault("illegal", place);
    ranks[file] = rank - 1;
    return checkReplies({ ...board, ranks }, listed, place);
}

/** A position from its FEN, as a board and whether the hunter is to move. */
export function readFen(fen: string): { board: Position; hunterMoves: boolean } {
    const [rows = "", turn = ""] = fen.split(" ");
    const board: Position = { ranks: Array<number>(WIDTH).fill(0), chief: 0, dogs: [] };
    rows.split("/").forEach((row, index) => {
        const rank = 7 - index;
        let file = 0;
        for (const sign of row.match(/\d+|\D/g) ?? []) {
            const square = (rank - 1) * WIDTH + file - FIRST;
            if (sign === "b") board.ranks[file] = rank;
            else if (sign === "C") board.chief = square;
            else if (sign === "D") board.dogs.push(square);
            file += /\d/.test(sign) ? Number(sign) : 1;
        }
    });
    return { board, hunterMoves: turn === "w" };
}

function checkClaim(fen: string, listed: Listed): number {
    const { board, hunterMoves: hunters } = readFen(fen);
    if (hunters) return checkReplies(board, listed, fen);
    if (!winsAtOnce(board, occupied(board)) && !isListed(board, listed))
        throw new Fault("missing", fen);
    return 0;
}

/** Checks a file; throws a `Fault` unless it proves its claims. */
export async function verify(
    file: Uint8Array,
    progress: (done: number, of: number) => void = () => undefined,
): Promise<Report> {
    const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
    const { header, end } = readHeader(file, view);
    if (header.format !== "stampede-certificate" || header.version !== 1)
        throw new Fault("damaged", "header");
    if (header.winner !== "buffalo" || header.width !== WIDTH || header.tables.length > 0)
        throw new Fault("tablebases", "header");
    const rows = await readBlocks(file, view, header, end);
    const listed: Listed = new Map();
    for (const [buffaloes, hunters, move] of rows) {
        let same = listed.get(buffaloes);
        if (!same) listed.set(buffaloes, (same = new Map()));
        same.set(hunters, move);
    }
    let replies = 0;
    for (const [index, [buffaloes, hunters, move]] of rows.entries()) {
        const place = `position ${index}`;
        const board = unpack(buffaloes, hunters);
        if (!board) throw new Fault("illegal", place);
        replies += checkPosition(board, move, listed, place);
        if (index % 1000 === 0) progress(index, rows.length);
    }
    if (header.claims.length === 0) throw new Fault("damaged", "header");
    for (const claim of header.claims) replies += checkClaim(claim.position, listed);
    progress(rows.length, rows.length);
    return { positions: rows.length, replies, claims: header.claims.map((one) => one.position) };
}
