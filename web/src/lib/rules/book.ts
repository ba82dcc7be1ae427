/** The rules as the server has them, in one language. Each book is fetched once, and kept for when there is no network. */
import { answerOf, rest } from "$lib/api/client";
import type { Schemas } from "$lib/api/types";
import { gameOfClause, type GameName } from "$lib/games";
import { type Language } from "$lib/i18n/index.svelte";
import { typesetAll } from "$lib/i18n/typeset";

export type Book = Schemas["Book"];
export type Section = Book["sections"][number];
export type Block = Section["blocks"][number];
export type Clause = Extract<Block, { kind: "clause" }>;
export type Part = Clause["parts"][number];
export type Scene = Book["scenes"][string];
export type Example = Book["examples"][string];

const STORE = "stampede.rules";
const books = new Map<string, Promise<Book>>();

/** The rules of a game; the copy that was fetched last when the server can't be reached. */
export function readBook(game: GameName, language: Language): Promise<Book> {
    const key = `${game}/${language}`;
    const known = books.get(key);
    if (known) return known;
    const found = fetchBook(game, language).then((book) => typesetAll(language, book));
    books.set(key, found);
    found.catch(() => books.delete(key));
    return found;
}

async function fetchBook(game: GameName, language: Language): Promise<Book> {
    const address = `/api/rules/${game}/${language}`;
    try {
        const path = { game, language };
        const book = await answerOf(rest.GET("/api/rules/{game}/{language}", { params: { path } }));
        await keep(address, book);
        return book;
    } catch (error) {
        const kept = await findKept(address);
        if (kept) return kept;
        throw error;
    }
}

/** Browsers have no cache of this kind on pages without encryption: then there is no copy. */
async function keep(address: string, book: Book): Promise<void> {
    if (!("caches" in window)) return;
    const store = await caches.open(STORE).catch(() => null);
    await store?.put(address, Response.json(book)).catch(() => undefined);
}

async function findKept(address: string): Promise<Book | null> {
    if (!("caches" in window)) return null;
    const found = await caches.match(address).catch(() => undefined);
    return found ? ((await found.json()) as Book) : null;
}

/** A clause with the book that it is in; null for an id that no book has. */
export async function findClause(
    id: string,
    language: Language,
): Promise<{ book: Book; section: Section; clause: Clause } | null> {
    const game = gameOfClause(id);
    if (!game) return null;
    const book = await readBook(game, language);
    for (const section of book.sections) {
        for (const block of section.blocks) {
            if (block.kind === "clause" && block.id === id) return { book, section, clause: block };
        }
    }
    return null;
}
