/** The little Markdown of the rules' texts, and ids of clauses in any text, as pieces to show. */

export type Piece =
    | { kind: "text" | "strong" | "em" | "code"; text: string }
    | { kind: "link"; text: string; href: string }
    | { kind: "clause"; id: string };

const CLAUSE = /\b[A-Z]\d{1,2}\.\d{1,2}\b/;
const MARKS = new RegExp(
    String.raw`\*\*(?<strong>[^*]+)\*\*|\*(?<em>[^*]+)\*|` +
        "`(?<code>[^`]+)`" +
        String.raw`|\[(?<label>[^\]]+)\]\((?<href>[^)]+)\)|(?<clause>${CLAUSE.source})`,
    "g",
);
const IDS = new RegExp(CLAUSE.source, "g");

/** A text of the rules: bold, emphasis, code, links, and ids of clauses. */
export function piecesOf(text: string): Piece[] {
    return split(text, MARKS, ({ strong, em, code, label, href, clause }) => {
        if (strong !== undefined) return { kind: "strong", text: strong };
        if (em !== undefined) return { kind: "em", text: em };
        if (code !== undefined) return { kind: "code", text: code };
        if (clause !== undefined) return { kind: "clause", id: clause };
        return { kind: "link", text: label ?? "", href: href ?? "" };
    });
}

/** Any other text, such as a step of the story: only ids of clauses are more than text. */
export function clausesIn(text: string): Piece[] {
    return split(text, IDS, (_, found) => ({ kind: "clause", id: found }));
}

function split(
    text: string,
    pattern: RegExp,
    read: (groups: Record<string, string | undefined>, found: string) => Piece,
): Piece[] {
    const pieces: Piece[] = [];
    let at = 0;
    for (const found of text.matchAll(pattern)) {
        if (found.index > at) pieces.push({ kind: "text", text: text.slice(at, found.index) });
        pieces.push(read(found.groups ?? {}, found[0]));
        at = found.index + found[0].length;
    }
    if (at < text.length) pieces.push({ kind: "text", text: text.slice(at) });
    return pieces;
}

/** The anchor of a clause on its page. */
export const anchorOf = (clause: string): string => clause.toLowerCase().replace(".", "-");

/** A text without its marks: for searching. */
export const plainText = (text: string): string =>
    piecesOf(text)
        .map((piece) => (piece.kind === "clause" ? piece.id : piece.text))
        .join("");
