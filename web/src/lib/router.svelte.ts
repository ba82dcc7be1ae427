/** Addresses and pages. The server answers every page's address with the same document. */
import { askedHandicaps, type Handicaps } from "./create/handicaps";
import { isGame, type GameName } from "./games";

export type Route =
    | { page: "home" }
    | { page: "play"; game: GameName }
    | { page: "watch" }
    | { page: "about" | "privacy" }
    | { page: "api" }
    | { page: "create"; game: string | null; edition: string | null; handicaps: Handicaps }
    | { page: "table"; table: string; token: string | null; join: boolean }
    | { page: "replay"; table: string | null; game: number | null; record: string | null }
    | { page: "review"; table: string | null; game: number | null; record: string | null }
    | { page: "analysis"; fen: string | null; record: string | null; turn: number }
    | { page: "rules"; game: GameName }
    | { page: "learn"; game: GameName | null }
    | { page: "lesson"; game: GameName; name: string }
    | { page: "leaders" }
    | { page: "account" }
    | { page: "box" }
    | { page: "games" }
    | { page: "puzzle"; date: string | null }
    | { page: "puzzles"; number: number | null }
    | { page: "zoffPuzzles"; number: number | null; daily: boolean; date: string | null }
    | { page: "person"; name: string }
    | { page: "statistics" }
    | { page: "solved" }
    | { page: "challenge"; start: string }
    | { page: "missing" };

const PLAY = /^\/play\/(\w+)$/;
const RULES = /^\/rules\/(\w+)$/;
const LEARN = /^\/learn(?:\/(\w+)(?:\/([a-z0-9-]+))?)?$/;
const TABLE = /^\/t\/([A-Za-z0-9]{22})$/;
const PUZZLE = /^\/puzzles\/daily(?:\/(\d{4}-\d{2}-\d{2}))?$/;
const PUZZLES = /^\/puzzles(?:\/(\d{1,6}))?$/;
const ZOFF_PUZZLES = /^\/puzzles\/zoff(?:\/(\d{1,6})|\/(daily)(?:\/(\d{4}-\d{2}-\d{2}))?)?$/;
const PERSON = /^\/u\/([^/]{1,300})$/;
const SOLVED = /^\/solved\/([a-z0-9-]{1,40})$/;
const OLD_PUZZLE = /^\/puzzle(\/\d{4}-\d{2}-\d{2})?$/;
const RECORD = /^\/(replay|review)\/record\/([0-9a-f]{32})$/;
/** A record that only this tab has. */
const HANDED = "file";
const REVIEW = /^\/review(?:\/([A-Za-z0-9]{22})(?:\/(\d+))?)?\/?$/;
const REPLAY = /^\/replay\/([A-Za-z0-9]{22})(?:\/(\d+))?$/;

/** Where a page is now that had another address before; null for all others. */
export function moved(path: string): string | null {
    const puzzle = OLD_PUZZLE.exec(path);
    if (puzzle) return `/puzzles/daily${puzzle[1] ?? ""}`;
    if (path === "/replay/") return "/replay";
    return null;
}

/** Whether there is a page at an address: others may lead to it then. */
export const pageExists = (path: string): boolean => parse(path, "", "").page !== "missing";

/** A part of an address as it was before it was escaped. */
function decoded(part: string): string {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** Tokens stand behind the hash, which browsers never send to a server. */
export function parse(path: string, query: string, hash: string): Route {
    const search = new URLSearchParams(query);
    const secret = new URLSearchParams(hash.replace(/^#/, ""));
    if (path === "/") return { page: "home" };
    if (path === "/new")
        return {
            page: "create",
            game: search.get("game"),
            edition: search.get("edition"),
            handicaps: askedHandicaps(search),
        };
    if (path === "/watch") return { page: "watch" };
    if (path === "/about") return { page: "about" };
    if (path === "/privacy") return { page: "privacy" };
    if (path === "/api") return { page: "api" };
    const play = PLAY.exec(path)?.[1] ?? null;
    if (isGame(play)) return { page: "play", game: play };
    if (path === "/leaders") return { page: "leaders" };
    if (path === "/account") return { page: "account" };
    if (path === "/box") return { page: "box" };
    if (path === "/games") return { page: "games" };
    const puzzle = PUZZLE.exec(path);
    if (puzzle) return { page: "puzzle", date: puzzle[1] ?? null };
    const puzzles = PUZZLES.exec(path);
    if (puzzles) return { page: "puzzles", number: puzzles[1] ? Number(puzzles[1]) : null };
    const zoff = ZOFF_PUZZLES.exec(path);
    if (zoff) {
        const number = zoff[1] ? Number(zoff[1]) : null;
        return { page: "zoffPuzzles", number, daily: zoff[2] !== undefined, date: zoff[3] ?? null };
    }
    const person = PERSON.exec(path)?.[1];
    if (person) return { page: "person", name: decoded(person) };
    if (path === "/statistics") return { page: "statistics" };
    if (path === "/solved") return { page: "solved" };
    const start = SOLVED.exec(path)?.[1];
    if (start) return { page: "challenge", start };
    const rules = RULES.exec(path)?.[1] ?? null;
    if (isGame(rules)) return { page: "rules", game: rules };
    const learn = LEARN.exec(path);
    if (learn) {
        const [, game = null, name] = learn;
        if (game === null) return { page: "learn", game };
        if (isGame(game)) return name ? { page: "lesson", game, name } : { page: "learn", game };
    }
    const table = TABLE.exec(path);
    if (table?.[1]) {
        const token = secret.get("seat") ?? secret.get("invite");
        return { page: "table", table: table[1], token, join: secret.has("invite") };
    }
    const handed = search.get("record") === HANDED ? HANDED : null;
    if (path === "/replay") return { page: "replay", table: null, game: null, record: handed };
    const record = RECORD.exec(path);
    if (record?.[2]) {
        const page = record[1] === "review" ? "review" : "replay";
        return { page, table: null, game: null, record: record[2] };
    }
    if (path === "/analysis") {
        const turn = Number(search.get("turn") ?? 0);
        const [fen, record] = [search.get("fen"), search.get("record")];
        return {
            page: "analysis",
            fen,
            record,
            turn: turn > 0 && Number.isInteger(turn) ? turn : 0,
        };
    }
    const review = REVIEW.exec(path);
    if (review) {
        const game = review[2] ? Number(review[2]) : null;
        const own = review[1] === undefined ? handed : null;
        return { page: "review", table: review[1] ?? null, game, record: own };
    }
    const replay = REPLAY.exec(path);
    if (replay?.[1]) {
        const game = replay[2] ? Number(replay[2]) : null;
        return { page: "replay", table: replay[1], game, record: null };
    }
    return { page: "missing" };
}

class Router {
    route = $state.raw<Route>({ page: "home" });

    start(): void {
        this.#read();
        window.addEventListener("popstate", () => this.#read());
        window.addEventListener("hashchange", () => this.#read());
        document.addEventListener("click", (event) => this.#follow(event));
    }

    go(address: string): void {
        history.pushState(null, "", address);
        this.#read();
        window.scrollTo(0, 0);
        document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
    }

    #read(): void {
        const now = moved(location.pathname);
        if (now !== null) history.replaceState(null, "", now + location.search + location.hash);
        this.route = parse(location.pathname, location.search, location.hash);
    }

    #follow(event: MouseEvent): void {
        const link = (event.target as Element | null)?.closest("a");
        const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
        if (
            event.defaultPrevented ||
            !link ||
            !plain ||
            link.target ||
            link.hasAttribute("download")
        )
            return;
        const url = new URL(link.href);
        if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
        event.preventDefault();
        this.go(url.pathname + url.search + url.hash);
    }
}

export const router = new Router();
