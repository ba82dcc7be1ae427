/** The engine's verdicts and remarks in the reader's language; the server sends codes and values. */
import { has, list, number, t } from "$lib/i18n/index.svelte";
import type { Line, Remark } from "./engine.svelte";

type Side = "buffalo" | "hunter";

/** The least part of the bar without a proof: only a proof takes all of it. */
const UNPROVEN = 0.04;

const sideName = (side: string | undefined): string => t(`analysis.side.${side ?? "hunter"}`);

/** The verdict as text. */
export function verdict({ code, values, text }: Remark): string {
    if (!has(`analysis.verdict.${code}`) && code !== "forced") return text;
    const shown = { side: sideName(values["side"]), count: Number(values["count"] ?? 0) };
    return t(`analysis.verdict.${code}`, shown);
}

/** The remarks as text. Buffaloes with the same remark are named together. */
export function remarks(all: Remark[]): string[] {
    const runners = all.filter(({ code }) => code === "runner");
    return all.flatMap((remark) => {
        if (remark.code !== "runner") return [remarkText(remark)];
        if (remark !== runners[0]) return [];
        const squares = runners.map(({ values }) => values["buffalo"] ?? "");
        return [t("analysis.remark.runner", { count: squares.length, squares: list(squares) })];
    });
}

function remarkText({ code, values, text }: Remark): string {
    if (code === "other") return text;
    if (code === "both_cross") {
        const squares = list((values["buffaloes"] ?? "").split(" and "));
        return t("analysis.remark.both_cross", { squares });
    }
    if (code === "cover") {
        const free = t("analysis.freeDogs", { count: Number(values["free"]) });
        return t("analysis.remark.cover", { ...values, count: Number(values["count"]), free });
    }
    return t(`analysis.remark.${code}`, values);
}

/** The side that a line favours; null when it's even. */
export function favours(turn: Side, line: Line): Side | null {
    const other: Side = turn === "buffalo" ? "hunter" : "buffalo";
    if (line.verdict.code === "even") return null;
    return line.score > 0 ? turn : other;
}

/** A score in short: `1.4`, or `#5` for a win by force in five moves. */
export function short(line: Line): string {
    if (line.plies_to_end !== null) return `#${Math.ceil(Math.abs(line.plies_to_end) / 2)}`;
    return number(Math.abs(line.score) / 100, 1);
}

/** The buffalo side's part of the score bar, from 0 to 1. */
export function share(turn: Side, line: Line): number {
    const ours = turn === "buffalo" ? line.score : -line.score;
    if (line.plies_to_end !== null) return ours > 0 ? 1 : 0;
    const leaning = 1 / (1 + Math.exp(-ours / 250));
    return Math.min(Math.max(leaning, UNPROVEN), 1 - UNPROVEN);
}
