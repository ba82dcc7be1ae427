/**
 * Typography that catalogues needn't spell: French narrow no-break spaces, and curly apostrophes in French and Italian.
 *
 * In a source nobody sees one space from another, so the catalogues have plain ones.
 */
export function typeset(language: string, text: string): string {
    const curly = ["fr", "it"].includes(language) ? text.replace(/(?<=\p{L})'/gu, "’") : text;
    if (language !== "fr") return curly;
    return curly.replace(/ (?=[;:!?»%])/g, "\u202f").replace(/« /g, "«\u202f");
}

/** All texts of a catalogue, typeset. */
export function typesetAll<T>(language: string, catalogue: T): T {
    return JSON.parse(JSON.stringify(catalogue), (_, value: unknown) =>
        typeof value === "string" ? typeset(language, value) : value,
    ) as T;
}
