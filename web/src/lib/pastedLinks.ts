/** Links that people paste: to tables, invitations, replays, reviews and records of this server. */
import { parse } from "./router.svelte";

/** The address inside this client that a pasted text means; null when it means none. */
export function pathFromPastedLink(text: string, origin: string): string | null {
    const trimmed = text.trim();
    if (trimmed === "") return null;
    let url: URL;
    try {
        url = new URL(trimmed, origin);
    } catch {
        return null;
    }
    const { page } = parse(url.pathname, url.search, url.hash);
    const wanted = page === "table" || page === "replay" || page === "review";
    return wanted ? url.pathname + url.search + url.hash : null;
}
