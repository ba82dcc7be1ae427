/**
 * Texts in five languages, by i18next. `t("table.yourTurn")` reads `locales/<language>/table.json`.
 *
 * The first load has the start page's texts in English only. Another language's are fetched at the start, and the texts
 * of all other pages with the first of them (`loadTexts`); a few areas only by the pages that need them (`loadArea`). A test proves that no key is missing or unused in any
 * language.
 */
import i18next, { type TOptions } from "i18next";
import { typesetAll } from "./typeset";

export const LANGUAGES = {
    en: "English",
    fr: "Français",
    de: "Deutsch",
    it: "Italiano",
    nl: "Nederlands",
};
export type Language = keyof typeof LANGUAGES;

type Catalogue = Record<string, unknown>;
function area(path: string): string {
    return path.replace(/^.*\/(\w+)\.json$/, "$1");
}

const english = import.meta.glob<Catalogue>("./locales/en/{common,errors,home}.json", {
    eager: true,
    import: "default",
});
const others = import.meta.glob<Catalogue>(
    ["./locales/*/*.json", "!./locales/*/learn.json", "!./locales/en/{common,errors,home}.json"],
    { import: "default" },
);
/** The areas of the start page. */
const FIRST = Object.keys(english).map((path) => area(path));

/** Areas that aren't loaded with the language, but by the pages that need them. */
const later = import.meta.glob<Catalogue>("./locales/*/learn.json", { import: "default" });
export type LaterArea = "learn";

const STORED = "stampede.language";

let current = $state<Language>("en");
/** The language that was chosen last: others that arrive later are ignored. */
let wanted: Language = "en";
/** The later areas that a page has asked for. */
const asked = new Set<LaterArea>();
/** Whether the texts of all pages are wanted, and how often some have arrived. */
let everything = false;
let arrived = $state(0);

const library = i18next.createInstance();

export function isLanguage(text: string): text is Language {
    return text in LANGUAGES;
}

/** The chosen language, else the browser's, else English. */
function preferred(): Language {
    const stored = localStorage.getItem(STORED);
    const wanted = [...(stored ? [stored] : []), ...navigator.languages];
    return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

/** Begins with the texts of all pages or, for a quick start, with those of the start page. */
export async function start(
    language: Language = preferred(),
    pages: "all" | "first" = "all",
): Promise<void> {
    everything = pages === "all";
    const resources: Record<string, Catalogue> = {};
    for (const [path, catalogue] of Object.entries(english)) resources[area(path)] = catalogue;
    await library.init({
        lng: "en",
        fallbackLng: "en",
        ns: Object.keys(resources),
        appendNamespaceToMissingKey: true,
        resources: { en: resources },
        interpolation: { escapeValue: false },
    });
    await use(language);
}

async function use(language: Language): Promise<void> {
    wanted = language;
    const parts = Object.entries(others).filter(
        ([path]) =>
            path.includes(`/${language}/`) &&
            (everything || FIRST.includes(area(path))) &&
            !library.hasResourceBundle(language, area(path)),
    );
    const found = await Promise.all(
        parts.map(async ([path, load]) => [area(path), await load()] as const),
    );
    for (const [name, catalogue] of found) {
        library.addResourceBundle(language, name, typesetAll(language, catalogue));
    }
    await Promise.all([...asked].map((area) => fetchArea(language, area)));
    if (language !== wanted) return;
    await library.changeLanguage(language);
    current = language;
    if (found.length > 0) arrived += 1;
    document.documentElement.lang = language;
}

async function fetchArea(language: Language, area: LaterArea): Promise<void> {
    if (library.hasResourceBundle(language, area)) return;
    const found = await later[`./locales/${language}/${area}.json`]?.();
    if (found) library.addResourceBundle(language, area, typesetAll(language, found));
    arrived += 1;
}

/** Loads the texts of an area that isn't there from the start, in the language of now and in those chosen later. */
export async function loadArea(area: LaterArea): Promise<void> {
    asked.add(area);
    await fetchArea(wanted, area);
}

/** Fetches the texts of all pages, unless they are there. */
export async function loadTexts(): Promise<void> {
    everything = true;
    await use(wanted);
}

export async function choose(language: Language): Promise<void> {
    localStorage.setItem(STORED, language);
    await use(language);
}

export const language = {
    get current(): Language {
        return current;
    },
};

/** The library sets areas apart by a colon: with a dot it would take a key such as `errors.busy` for another area. */
const spelt = (key: string) => key.replace(".", ":");

/** The text for a key, `area.key`; `count` picks the plural. Reads the language, so that texts change with it. */
export function t(key: string, values: TOptions = {}): string {
    void current;
    void arrived;
    return library.t(spelt(key), values);
}

/** A list of titled paragraphs. */
export function texts(key: string): { title: string; text: string }[] {
    void current;
    void arrived;
    return library.t(spelt(key), { returnObjects: true }) as { title: string; text: string }[];
}

/** Whether there is a text for a key: for codes that come from the server. */
export function has(key: string): boolean {
    void arrived;
    return library.exists(spelt(key));
}

/** A number as people here write it; `digits` behind the point where figures stand below each other. */
export function number(value: number, digits?: number): string {
    const places =
        digits === undefined
            ? { maximumFractionDigits: 4 }
            : { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return new Intl.NumberFormat(current, places).format(value);
}

/** A share of one in whole percent, as people here write it: "29%", "29 %". */
export function percent(share: number): string {
    return new Intl.NumberFormat(current, { style: "percent" }).format(share);
}

/** A decimal number that was written with a point, as people here write it. */
export function decimal(text: string): string {
    const parts = new Intl.NumberFormat(current).formatToParts(1.5);
    return text.replace(".", parts.find(({ type }) => type === "decimal")?.value ?? ".");
}

/** A day, from milliseconds since 1970. */
export function date(value: number): string {
    return new Intl.DateTimeFormat(current, { dateStyle: "medium" }).format(value);
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, milliseconds: number][] = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
];

/** When something is, such as "in 3 hours", rounded down. */
export function fromNow(milliseconds: number): string {
    const [unit, length] = UNITS.find(([, size]) => milliseconds >= size) ?? ["second", 1000];
    const count = Math.max(0, Math.floor(milliseconds / length));
    return new Intl.RelativeTimeFormat(current).format(count, unit);
}

/** A number with its unit: "3 days", "3 d" or, narrow, "3d". */
export function unit(value: number, of: string, display: "long" | "narrow"): string {
    const style = { style: "unit", unit: of, unitDisplay: display } as const;
    return new Intl.NumberFormat(current, style).format(value);
}

export function list(items: string[]): string {
    return new Intl.ListFormat(current, { type: "conjunction" }).format(items);
}
