/** Several cows on pastures, in words. */
import { list, t } from "$lib/i18n/index.svelte";
import { pastureName } from "../view";

/** The pastures of cows that were placed one by one: each once, with numbers where one got several. */
export function places(on: string[]): string {
    const counts = new Map<string, number>();
    for (const name of on) counts.set(name, (counts.get(name) ?? 0) + 1);
    const counted = counts.size < on.length;
    return list(
        [...counts].map(([name, count]) => {
            const pasture = pastureName(name);
            return counted ? t("zoff.countOn", { count, pasture }) : pasture;
        }),
    );
}
