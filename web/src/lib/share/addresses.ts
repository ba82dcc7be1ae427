/** Where a table, a step of a game or a puzzle can be shared from: link, pictures, and a frame for other sites. */
import { language } from "$lib/i18n/index.svelte";

export type Shared = {
    link: string;
    /** The picture with title and players, and the board alone. */
    pictures: { card: string; board: string };
    /** The markup that other sites paste; null where there is no replay. */
    embed: string | null;
};

function pictures(path: string, query: Record<string, number>): Shared["pictures"] {
    const of = (style: string, kind: string, more: Record<string, string> = {}) => {
        const numbers = Object.entries(query).map(([key, value]) => [key, String(value)]);
        const asked = new URLSearchParams([...numbers, ...Object.entries({ style, ...more })]);
        return `/api/pictures/${path}.${kind}?${asked}`;
    };
    return { card: of("card", "png", { lang: language.current }), board: of("board", "svg") };
}

/** A table as it stands. */
export function sharedTable(table: string, origin = location.origin): Shared {
    return {
        link: `${origin}/t/${table}`,
        pictures: pictures(`tables/${table}`, {}),
        embed: null,
    };
}

/** The puzzle of a day, without its solution. */
export function sharedPuzzle(day: string, number: number, origin = location.origin): Shared {
    return {
        link: `${origin}/puzzles/daily/${day}`,
        pictures: pictures(`puzzles/${number}`, {}),
        embed: null,
    };
}

/**
 * A step of a table's game. `at` is the step of the replay, `action` the server's number of the action that led to it:
 * a replay may show one action in several steps. Without them the end is shown, and the link leads to the start.
 */
export function sharedReplay(
    table: string,
    game: number,
    at = 0,
    action: number | null = null,
    origin = location.origin,
): Shared {
    const query = at > 0 ? `?at=${at}&step=${action ?? at}` : "";
    const frame = `${origin}/embed/${table}/${game}${query}`;
    return {
        link: `${origin}/replay/${table}/${game}${query}`,
        pictures: pictures(`tables/${table}`, action === null ? { game } : { game, step: action }),
        embed: `<iframe src="${frame.replaceAll("&", "&amp;")}" width="640" height="560" title="Stampede" loading="lazy" allow="fullscreen"></iframe>`,
    };
}
