/** The coach's moments: data that say when a sentence is due. Each is said once. */

/** What a value must be: the own seat, another one, anything at all, a text that ends so, or just this. */
export type Expected = "$self" | "$other" | "$some" | `$ends:${string}` | string | number | boolean;

export type Moment = {
    /** The name of its text, and of the moment itself. */
    name: string;
    /** Whether it is about what is asked (the game's view) or about something that happened (an event). */
    on: "decision" | "event";
    /** What must be true, by paths such as `legal.refused.0.reason.code`. */
    when: Record<string, Expected>;
    /** What the text wants filled in, by paths, with what kind of word it is. */
    values?: Record<string, { path: string; kind: "player" | "colour" | "pasture" | "plain" }>;
};

/** What the coach needs of a game. */
export type CoachData = {
    moments: readonly Moment[];
    /** A seat, a colour or a pasture in words. */
    word: (kind: string, value: unknown, nameOf: (seat: number) => string) => string;
};

/** The value at a path; undefined where there is none. */
export function lookUp(value: unknown, path: string): unknown {
    return path.split(".").reduce<unknown>((found, part) => {
        if (typeof found !== "object" || found === null) return undefined;
        return (found as Record<string, unknown>)[part];
    }, value);
}

function isAs(found: unknown, expected: Expected, self: number): boolean {
    if (expected === "$self") return found === self;
    if (expected === "$other") return typeof found === "number" && found !== self;
    if (expected === "$some") return found !== undefined && found !== null;
    if (typeof expected === "string" && expected.startsWith("$ends:")) {
        return typeof found === "string" && found.endsWith(expected.slice("$ends:".length));
    }
    return found === expected;
}

export function isDue(moment: Moment, subject: unknown, self: number): boolean {
    return Object.entries(moment.when).every(([path, expected]) =>
        isAs(lookUp(subject, path), expected, self),
    );
}
