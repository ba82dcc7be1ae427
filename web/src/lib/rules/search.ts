/** Searching the rules: every word of a query must occur, whatever its case and accents. */
import type { Block, Book, Part, Section } from "./book";
import { plainText } from "./inline";

const folded = (text: string): string =>
    text.normalize("NFD").replace(/\p{M}/gu, "").replace(/’/g, "'").toLowerCase();

function wordsOf(part: Part): string {
    switch (part.kind) {
        case "paragraph":
        case "figure":
            return part.text;
        case "list":
            return part.items.join(" ");
        case "grid":
            return part.rows.flat().join(" ");
        case "worked":
            return "";
    }
}

const textOf = (block: Block): string =>
    block.kind === "clause" ? `${block.id} ${block.parts.map(wordsOf).join(" ")}` : wordsOf(block);

/** The sections with the blocks in which a query occurs, and how many there are; everything for an empty query. */
export function matching(book: Book, query: string): { sections: Section[]; count: number } {
    const words = folded(query).split(/\s+/).filter(Boolean);
    if (words.length === 0) return { sections: book.sections, count: 0 };
    const hits = (text: string): boolean => {
        const searched = folded(plainText(text));
        return words.every((word) => searched.includes(word));
    };
    const sections = book.sections
        .map((section) => {
            const blocks = section.blocks.filter((block) => hits(textOf(block)));
            return { ...section, blocks: blocks.map((block) => onlyRows(block, hits)) };
        })
        .filter(({ blocks }) => blocks.length > 0);
    const count = sections.reduce(
        (sum, { blocks }) =>
            sum + blocks.reduce((n, one) => n + (one.kind === "grid" ? one.rows.length : 1), 0),
        0,
    );
    return { sections, count };
}

/** A table with the rows alone in which the query occurs; all of them if it occurs only across rows. */
function onlyRows(block: Block, hits: (text: string) => boolean): Block {
    if (block.kind !== "grid") return block;
    const rows = block.rows.filter((row) => hits(row.join(" ")));
    return rows.length > 0 ? { ...block, rows } : block;
}
