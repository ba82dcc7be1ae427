/** Handicaps of a single game: the rule options that make it easier for one side. */
import type { GameInfo } from "$lib/api/types";

type Option = GameInfo["options"][number];
export type Handicaps = Record<string, number | string[]>;

/** The handicaps that a form can offer: in single games, as other series set their own. */
export function offeredHandicaps(info: GameInfo | undefined, series: string | null): Option[] {
    const single = series === null || series === info?.series[0];
    return single ? (info?.options ?? []).filter((option) => option.handicap) : [];
}

/** The handicaps that a link asks for: `removed=a,b` or `opening_moves=3`. What the server doesn't offer does no harm. */
export function askedHandicaps(search: URLSearchParams): Handicaps {
    const asked = [...search].filter(([name]) => name !== "game" && name !== "edition");
    return Object.fromEntries(
        asked.map(([name, text]) => [
            name,
            /^\d+$/.test(text) ? Number(text) : text.split(",").filter((word) => word !== ""),
        ]),
    );
}

/** What the rules of a new table say of them: what was chosen, nothing of the rest. */
export function chosenHandicaps(offered: Option[], chosen: Handicaps): Handicaps {
    return Object.fromEntries(
        Object.entries(chosen).filter(([name, value]) =>
            offered.some((option) => option.name === name && fits(option, value)),
        ),
    );
}

/** Whether an option can have a value, which may come from a link. */
function fits(option: Option, value: number | string[]): boolean {
    if (!Array.isArray(value)) return option.kind === "number" && numbersOf(option).includes(value);
    return option.kind === "subset" && value.every((word) => option.choices.includes(word));
}

/** The words of a subset with one more or one less, in their usual order; as before where there would be too many. */
export function toggle({ choices, maximum }: Option, words: string[], word: string): string[] {
    const next = words.includes(word) ? words.filter((one) => one !== word) : [...words, word];
    return next.length > (maximum ?? choices.length)
        ? words
        : choices.filter((one) => next.includes(one));
}

/** The numbers that a number can be. */
export function numbersOf({ minimum, maximum }: Option): number[] {
    const least = minimum ?? 0;
    return Array.from({ length: (maximum ?? least) - least + 1 }, (_, index) => least + index);
}
