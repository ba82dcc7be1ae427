/** Analyses that this device keeps: a name, the position at the beginning, and the variations. */
export type Kept = {
    name: string;
    fen: string;
    moves: string;
    /** How many buffaloes step before the hunter's first move; one where it isn't said. */
    opening?: number;
};

const KEY = "stampede.analyses";
const MOST = 50;

export function kept(): Kept[] {
    try {
        const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        return Array.isArray(found) ? (found as Kept[]).filter(isKept) : [];
    } catch {
        return [];
    }
}

const isKept = (one: Partial<Kept> | null): boolean =>
    typeof one?.name === "string" && typeof one.fen === "string" && typeof one.moves === "string";

/** Keeps an analysis under its name, in place of an older one of the same name; the latest comes first. */
export function keep(one: Kept): Kept[] {
    const all = [one, ...kept().filter(({ name }) => name !== one.name)].slice(0, MOST);
    localStorage.setItem(KEY, JSON.stringify(all));
    return all;
}

export function forget(name: string): Kept[] {
    const all = kept().filter((one) => one.name !== name);
    localStorage.setItem(KEY, JSON.stringify(all));
    return all;
}

/** A link that opens the analysis: moves stand behind the hash, which browsers never send to a server. */
export function linkTo({ fen, moves, opening = 1 }: Omit<Kept, "name">): string {
    const steps = opening > 1 ? `&opening=${opening}` : "";
    const hash = moves ? `#moves=${encodeURIComponent(moves)}${steps}` : "";
    return `/analysis?fen=${encodeURIComponent(fen)}${hash}`;
}

/** What stands behind the hash of a link; null where nothing does. */
export function linked(hash: string): { moves: string; opening: number } | null {
    const found = new URLSearchParams(hash.replace(/^#/, ""));
    const moves = found.get("moves");
    const opening = Number(found.get("opening") ?? 1);
    const steps = Number.isInteger(opening) && opening > 1 && opening <= 11 ? opening : 1;
    return moves ? { moves, opening: steps } : null;
}
