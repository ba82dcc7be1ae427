/** The colours of the tokens keep WCAG's contrasts by light and dark. */
import { describe, expect, it } from "vitest";
import tokens from "./tokens.css?raw";

type Pair = [light: string, dark: string];
const colours = new Map(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
        ([, name, light, dark]): [string, Pair] => [name ?? "", [light ?? "", dark ?? ""]],
    ),
);

function luminance(colour: string): number {
    const [r, g, b] = [1, 3, 5]
        .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function contrast(one: string, other: string): number {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** The pairs of names whose contrast is too low. */
function tooClose(
    names: string[],
    least: number,
    grounds: string[] = ["sky", "paper", "paper-2"],
): string[] {
    return names.flatMap((name) =>
        grounds.flatMap((ground) =>
            ["light", "dark"]
                .filter((_, scheme) => {
                    const [one, other] = [colours.get(name), colours.get(ground)];
                    return (
                        contrast(one?.[scheme] ?? "#000000", other?.[scheme] ?? "#000000") < least
                    );
                })
                .map((scheme) => `${name} on ${ground}, ${scheme}`),
        ),
    );
}

describe("the tokens", () => {
    it("give controls an edge of 3:1, and the focus", () => {
        expect(tooClose(["edge", "focus"], 3)).toEqual([]);
    });

    it("give text on every field 4.5:1", () => {
        const fields = [...colours.keys()].filter((name) => name.startsWith("field-"));
        expect(fields.length).toBeGreaterThan(4);
        expect(tooClose(["ink", "land-ink-2"], 4.5, fields)).toEqual([]);
    });

    it("give text 4.5:1", () => {
        expect(tooClose(["ink", "ink-2", "earth", "alarm"], 4.5)).toEqual([]);
    });
});
