/** Replays: of a table's game, or of a record from a file (docs/record.md, docs/replay.md). */
import { answerOf, restOnce } from "$lib/api/client";
import type { GameRecord, Replay } from "$lib/api/types";

/** Where a replay came from: what the engine is asked about, and what a download fetches. */
export type Source = { table: string; game: number | null } | { record: GameRecord };

/** A file that holds no records. */
export class NoRecord extends Error {}

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

const HANDED = "stampede.analysis.record";
/** How the analysis page names the record that this tab was given, and that no server keeps. */
export const FROM_FILE = "file";

/** Hands a record from a file to the analysis page of this tab. */
export function handOver(record: GameRecord): void {
    sessionStorage.setItem(HANDED, JSON.stringify(record));
}

/** The record that was handed over last. */
export function handedOver(): GameRecord {
    const found = parsed(sessionStorage.getItem(HANDED) ?? "null");
    if (!isRecord(found)) throw new NoRecord("no record");
    return found;
}

/** Where the analysis of a game is. */
export function analysisAddress(source: Source, turn = 0): string {
    const game = "record" in source || source.game === null ? "" : `/${source.game}`;
    const record = "record" in source ? FROM_FILE : `${source.table}${game}`;
    return `/analysis?record=${record}${turn > 0 ? `&turn=${turn}` : ""}`;
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
