/** Which colour each chair gets when the game begins. */
import type { GameInfo } from "$lib/api/types";

/** Chairs have what they asked for, the others the first colours that are left. Empty where colours are bought or shared. */
export function coloursOfChairs(
    { chairs, rules }: { chairs: readonly { colour?: string | null }[]; rules: object },
    info: Pick<GameInfo, "colours"> | undefined,
): string[] {
    const offered = info?.colours[chairs.length] ?? [];
    if (chairs.length < 3 || ("auction" in rules && rules.auction)) return [];
    const asked = chairs.map(({ colour }) => colour);
    const left = offered.filter((colour) => !asked.includes(colour));
    return asked.map((colour) => colour ?? left.shift() ?? "");
}
