/** Where things stand on the picture. No rules: squares, names and distances only. */

export const FILES = "abcdefghijk";
export const RANKS = [7, 6, 5, 4, 3, 2, 1];
export const CELL = 48;
export const RIVER = 14;
export const MARGIN = 4;
export const WIDTH = FILES.length * CELL + 2 * MARGIN;
export const HEIGHT = RANKS.length * CELL + 2 * RIVER + 2 * MARGIN;

export type Kind = "buffalo" | "chief" | "dog";
export type Piece = { id: string; kind: Kind; square: string };
export type Legal = Record<string, string[]>;

const KINDS: Record<string, Kind> = { b: "buffalo", C: "chief", D: "dog" };

/** The pieces of a FEN. */
export function pieces(fen: string): { kind: Kind; square: string }[] {
    const rows = (fen.split(" ")[0] ?? "").split("/");
    return rows.flatMap((row, index) => {
        let file = 0;
        const found: { kind: Kind; square: string }[] = [];
        for (const token of row.match(/\d+|\D/g) ?? []) {
            const kind = KINDS[token];
            if (kind) found.push({ kind, square: `${FILES[file++]}${7 - index}` });
            else file += Number(token);
        }
        return found;
    });
}

/** The board's part of a FEN: each square by its piece. */
export function fenOf(squares: ReadonlyMap<string, Kind>): string {
    const letters = new Map(Object.entries(KINDS).map(([letter, kind]) => [kind, letter]));
    return RANKS.map((rank) => {
        const row = [...FILES].map((file) => {
            const kind = squares.get(`${file}${rank}`);
            return (kind && letters.get(kind)) ?? ".";
        });
        return row.join("").replace(/\.+/g, (free) => String(free.length));
    }).join("/");
}

/**
 * The pieces of a position with names that stay the same from one position to the next, so that they can glide: a piece
 * keeps the name that it had on its square, or on the square that the last move left. A move that is taken back leads a
 * piece home: the only one of its kind without a place takes the only place without a piece.
 */
export function follow(before: Piece[], fen: string, lastMove: string | null): Piece[] {
    const names = new Map(before.map((piece) => [`${piece.kind}${piece.square}`, piece.id]));
    const from = lastMove?.slice(0, 2);
    const to = lastMove?.slice(2, 4);
    const found = pieces(fen).map(({ kind, square }) => {
        const moved = square === to ? names.get(`${kind}${from}`) : undefined;
        return { kind, square, id: moved ?? names.get(`${kind}${square}`) };
    });
    const kept = new Set(found.map(({ id }) => id));
    const used = new Set<string>();
    return found.map(({ kind, square, id: known }) => {
        let id = known ?? homeless(kind, before, kept, found) ?? `${kind}-${square}`;
        while (used.has(id)) id += "'";
        used.add(id);
        return { id, kind, square };
    });
}

function homeless(
    kind: Kind,
    before: Piece[],
    kept: ReadonlySet<string | undefined>,
    found: { kind: Kind; id: string | undefined }[],
): string | undefined {
    const [only, ...more] = before.filter((piece) => piece.kind === kind && !kept.has(piece.id));
    const places = found.filter((piece) => piece.kind === kind && piece.id === undefined);
    return more.length === 0 && places.length === 1 ? only?.id : undefined;
}

/** The middle of a square. Flipped, the buffaloes are at the bottom. */
export function centre(square: string, flip: boolean): { x: number; y: number } {
    const file = FILES.indexOf(square[0] ?? "a");
    const rank = Number(square[1]);
    const x = MARGIN + (file + 0.5) * CELL;
    const rivers = (rank < 7 ? 1 : 0) + (rank === 1 ? 1 : 0);
    const y = MARGIN + (7 - rank + 0.5) * CELL + rivers * RIVER;
    return flip ? { x: WIDTH - x, y: HEIGHT - y } : { x, y };
}

/** The square at a point of the picture, if any. */
export function squareAt(x: number, y: number, flip: boolean): string | null {
    for (const rank of RANKS) {
        for (const file of FILES) {
            const middle = centre(`${file}${rank}`, flip);
            if (Math.abs(middle.x - x) <= CELL / 2 && Math.abs(middle.y - y) <= CELL / 2) {
                return `${file}${rank}`;
            }
        }
    }
    return null;
}

/** The neighbour in the direction of an arrow key, as seen on the screen. */
export function step(square: string, key: string, flip: boolean): string {
    const sign = flip ? -1 : 1;
    const [dx, dy] =
        { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key] ?? [];
    if (dx === undefined || dy === undefined) return square;
    const file = Math.min(10, Math.max(0, FILES.indexOf(square[0] ?? "a") + dx * sign));
    const rank = Math.min(7, Math.max(1, Number(square[1]) + dy * sign));
    return `${FILES[file]}${rank}`;
}
