/** Analyses that this device keeps: a name, the position at the beginning, and the variations. */
export type Kept = { name: string; fen: string; moves: string };

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
export const linkTo = ({ fen, moves }: Omit<Kept, "name">): string =>
    `/analysis?fen=${encodeURIComponent(fen)}${moves ? `#moves=${encodeURIComponent(moves)}` : ""}`;
