/** Handicaps of a single game: the rule options that make it easier for one side. */
import type { GameInfo } from "$lib/api/types";

type Option = GameInfo["options"][number];
export type Handicaps = Record<string, number | string[]>;

/** The handicaps that a form can offer: in single games, as other series set their own. */
export function offeredHandicaps(info: GameInfo | undefined, series: string | null): Option[] {
    const single = series === null || series === info?.series[0];
    return single ? (info?.options ?? []).filter((option) => option.handicap) : [];
}

/** What the rules of a new table say of them: what was chosen, nothing of the rest. */
export function chosenHandicaps(offered: Option[], chosen: Handicaps): Handicaps {
    const names = offered.map(({ name }) => name);
    return Object.fromEntries(Object.entries(chosen).filter(([name]) => names.includes(name)));
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
