/** The catalogues as tests read them: every text of every language by its key, `area.key`. */
import { LANGUAGES } from "./index.svelte";

type Tree = { [key: string]: string | Tree | Tree[] };

const files = import.meta.glob<Tree>("./locales/*/*.json", { eager: true, import: "default" });

/** All texts of a tree by their keys. */
function leaves(tree: Tree | Tree[], prefix: string): [key: string, text: string][] {
    return Object.entries(tree).flatMap(([name, value]): [string, string][] => {
        const key = `${prefix}.${name}`;
        return typeof value === "string" ? [[key, value]] : leaves(value, key);
    });
}

function catalogue(language: string): Map<string, string> {
    const found = Object.entries(files).flatMap(([path, tree]) => {
        const [, of, area] = /\/([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
        return of === language && area ? leaves(tree, area) : [];
    });
    return new Map(found);
}

export const catalogues = new Map(Object.keys(LANGUAGES).map((code) => [code, catalogue(code)]));
export const english = catalogues.get("en") ?? new Map<string, string>();

/** A plural's form at the end of a key. */
export const FORM = /_(zero|one|two|few|many|other)$/;
/** A key without its plural's form. */
export const base = (key: string): string => key.replace(FORM, "");
/** A key without its plural's form and without the second person's. */
export const subject = (key: string): string => base(key).replace(/_you$/, "");

/** The values that a text wants filled in. */
export const slots = (text: string): string[] =>
    [...text.matchAll(/\{\{\s*(\w+)[^}]*\}\}/g)].map(([, name]) => name ?? "");
