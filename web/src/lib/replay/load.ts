/** Replays: of a table's game, or of a record from a file (docs/record.md, docs/replay.md). */
import { answerOf, restOnce } from "$lib/api/client";
import type { GameRecord, Replay } from "$lib/api/types";

/** Where a replay came from: a table, or a record; the server keeps a record that has an id. */
export type Source =
    { table: string; game: number | null } | { record: GameRecord; id?: string | undefined };

/** What an address says of a game: one of a table, or a record by its id or from a file; or nothing. */
export type Named = { table: string | null; game: number | null; record: string | null };

/** A file that holds no records, or one that this tab has no more. */
export class NoRecord extends Error {}

/** What every request for a game begins with. */
export function bodyOf(
    source: Source,
): { record: GameRecord } | { table: string; game?: number | null } {
    if ("record" in source) return { record: source.record };
    return { table: source.table, ...(source.game === null ? {} : { game: source.game }) };
}

/** The server takes no larger request; records are far smaller. */
const LARGEST = 60_000;
const LARGEST_FILE = 20_000_000;

export function load(source: Source): Promise<Replay> {
    if ("record" in source) {
        return answerOf(restOnce.POST("/api/replay", { body: source.record }));
    }
    const path = { table_id: source.table };
    const query = source.game === null ? {} : { game: source.game };
    return answerOf(restOnce.GET("/api/tables/{table_id}/replay", { params: { path, query } }));
}

/** A record that the server keeps. */
export async function fetchRecord(id: string): Promise<GameRecord> {
    const params = { path: { record_id: id } };
    const found = await answerOf(restOnce.GET("/api/records/{record_id}", { params }));
    if (!isRecord(found)) throw new NoRecord("no record");
    return found;
}

/** The game that an address names; null where it names none. */
export async function findNamed({ table, game, record }: Named): Promise<Source | null> {
    if (table !== null) return { table, game };
    if (record === null) return null;
    if (record === FROM_FILE) return { record: handedOver() };
    return { record: await fetchRecord(record), id: record };
}

const HANDED = "stampede.analysis.record";
/** How addresses name the record that this tab was given, and that no server keeps. */
export const FROM_FILE = "file";

/** Hands a record from a file to the other pages of this tab, and to this one when it is loaded again. */
export function handOver(source: Source): void {
    if (!("record" in source) || source.id !== undefined) return;
    try {
        sessionStorage.setItem(HANDED, JSON.stringify(source.record));
    } catch {
        // A browser that keeps nothing: the file has to be opened there once more.
    }
}

/** The record that was handed over last. */
export function handedOver(): GameRecord {
    let text: string | null = null;
    try {
        text = sessionStorage.getItem(HANDED);
    } catch {
        // A browser that keeps nothing.
    }
    const found = parsed(text ?? "null");
    if (!isRecord(found)) throw new NoRecord("no record");
    return found;
}

const gameOf = ({ table, game }: { table: string; game: number | null }): string =>
    `${table}${game === null ? "" : `/${game}`}`;

/** Where the analysis of a game is. */
export function analysisAddress(source: Source, turn = 0): string {
    const record = "record" in source ? (source.id ?? FROM_FILE) : gameOf(source);
    return `/analysis?record=${record}${turn > 0 ? `&turn=${turn}` : ""}`;
}

/** Where a game's replay or review is; that of a record that only this tab has can't be given to others. */
export function gameAddress(page: "replay" | "review", source: Source): string {
    if (!("record" in source)) return `/${page}/${gameOf(source)}`;
    return source.id === undefined
        ? `/${page}?record=${FROM_FILE}`
        : `/${page}/record/${source.id}`;
}

/** Where a moment of a game is drawn, after so many actions; null for a record that no server keeps. */
export function pictureAddress(source: Source, step: number, kind: "svg" | "png"): string | null {
    const query = `style=board&step=${step}`;
    if (!("record" in source)) {
        const game = source.game === null ? "" : `&game=${source.game}`;
        return `/api/pictures/tables/${source.table}.${kind}?${query}${game}`;
    }
    return source.id === undefined ? null : `/api/pictures/records/${source.id}.${kind}?${query}`;
}

/** The record's address; a record from a file becomes one. */
export function downloadAddress(source: Source): string {
    if ("record" in source) {
        return `data:application/json,${encodeURIComponent(JSON.stringify(source.record))}`;
    }
    const query = source.game === null ? "" : `?game=${source.game}`;
    return `/api/tables/${source.table}/record${query}`;
}

function isRecord(value: unknown): value is GameRecord {
    const format = (value as { format?: unknown } | null)?.format;
    return typeof format === "string" && format.startsWith("stampede-record/");
}

function parsed(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/** The records of a file: one JSON object, or one a line. */
export function recordsIn(text: string): GameRecord[] {
    const whole = parsed(text);
    const found = whole !== null ? [whole] : text.split("\n").filter(Boolean).map(parsed);
    if (found.length === 0 || !found.every(isRecord)) throw new NoRecord("no record");
    return found;
}

export async function readFile(file: File): Promise<GameRecord[]> {
    if (file.size > LARGEST_FILE) throw new NoRecord("too large");
    const records = recordsIn(await file.text());
    if (records.some((record) => JSON.stringify(record).length > LARGEST)) {
        throw new NoRecord("too large");
    }
    return records;
}
