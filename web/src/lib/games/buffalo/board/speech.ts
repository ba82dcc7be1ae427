/** What the board says to a screen reader: what stands where, what is picked up, and why something can't be. */
import { has, list, t } from "$lib/i18n/index.svelte";
import type { Schemas } from "$lib/api/types";
import type { Kind, Legal, Piece } from "./board";
import { reach } from "./reach.svelte";

export type Refused = Schemas["RefusedPieces"][];

const nameOf = (kind: Kind): string => t(`buffalo.piece.${kind}`);

/** A sentence that begins with a piece: its name has a small letter in most languages. */
const sentence = (text: string): string => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}`;

/** All pieces, kind by kind. */
export function standing(pieces: Piece[]): string[] {
    const kinds: Kind[] = ["buffalo", "chief", "dog"];
    return kinds.flatMap((kind) => {
        const squares = pieces.filter((one) => one.kind === kind).map((one) => one.square);
        if (squares.length === 0) return [];
        return [t(`buffalo.standing.${kind}`, { squares: squares.sort().join(", ") })];
    });
}

/** What is on a square, and whether it can be chosen. */
export function onSquare(square: string, pieces: Piece[], legal: Legal, targets: string[]): string {
    const piece = pieces.find((one) => one.square === square);
    const what = piece ? nameOf(piece.kind) : t("buffalo.empty");
    if (targets.includes(square)) return `${square}: ${what}, ${t("buffalo.target")}`;
    return `${square}: ${what}${legal[square] ? `, ${t("buffalo.movable")}` : ""}`;
}

export function pickedUp({ kind, square }: Piece, targets: string[]): string {
    return t("buffalo.spoken.chosen", { piece: nameOf(kind), square, targets: list(targets) });
}

export function putDown({ kind, square }: Piece): string {
    return t("buffalo.spoken.released", { piece: nameOf(kind), square });
}

/** Why a piece can't go to a square: it never could, or something is in its way. */
export function cannotGo({ kind, square }: Piece, to: string): string {
    const why = reach.of(kind, square).includes(to) ? "way" : "never";
    const place = { piece: nameOf(kind), square, to };
    return reach.known
        ? sentence(t("buffalo.spoken.cannotGoWhy", { ...place, why: t(`buffalo.${why}.${kind}`) }))
        : t("buffalo.spoken.cannotGo", place);
}

export function planned({ kind, square }: Piece, to: string): string {
    return t("buffalo.spoken.planned", { piece: nameOf(kind), square, to });
}

/** Why a piece can't be picked up: the server's reason where it gives one. */
export function cannotMove({ kind, square }: Piece, refused: Refused): string {
    const piece = nameOf(kind);
    const reason = refused.find((one) => one.squares.includes(square))?.reason;
    const key = `buffalo.cannot.${reason?.code}`;
    return reason && has(key)
        ? sentence(
              t("buffalo.spoken.cannotMove", {
                  piece,
                  square,
                  reason: t(key),
                  clause: reason.clause,
              }),
          )
        : sentence(t("buffalo.spoken.notYours", { piece, square }));
}
