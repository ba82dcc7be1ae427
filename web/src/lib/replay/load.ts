/** Games to look at again: from a table, or from a file of records (docs/record.md, docs/replay.md). */
import { Refusal, Unreachable } from "$lib/api/client";
import type { components } from "$lib/api/schema";
import type { Problem } from "$lib/api/types";

type Schemas = components["schemas"];

export type Replay = Schemas["ReplayAnswer"];
export type ReplayStep = Schemas["StepAnswer"];
export type GameRecord = Schemas["RecordRequest"];

/** Where a replay came from: what the engine is asked about, and what a download fetches. */
export type Source = { table: string; game: number | null } | { record: GameRecord };

/** Something that isn't a file of records. */
export class NoRecord extends Error {}

/** The server takes no larger request; records are far smaller. */
const LARGEST = 60_000;
const LARGEST_FILE = 20_000_000;

export async function ask<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const init: RequestInit =
        body === undefined
            ? {}
            : {
                  method: "POST",
                  headers: { "Content-Type": "application/json" },
                  body: JSON.stringify(body),
              };
    if (signal) init.signal = signal;
    const response = await fetch(path, init).catch((error: unknown) => {
        throw new Unreachable(String(error));
    });
    const answer: unknown = await response.json().catch(() => ({}));
    if (response.ok) return answer as T;
    const problem = { error: "refused", message: response.statusText, ...(answer as object) };
    throw new Refusal(response.status, problem as Problem);
}

const query = (game: number | null): string => (game === null ? "" : `?game=${game}`);

export function load(source: Source): Promise<Replay> {
    if ("record" in source) return ask("/api/replay", source.record);
    return ask(`/api/tables/${source.table}/replay${query(source.game)}`);
}

/** The record's address; a record from a file is made into one. */
export function download(source: Source): string {
    if ("record" in source) {
        return `data:application/json,${encodeURIComponent(JSON.stringify(source.record))}`;
    }
    return `/api/tables/${source.table}/record${query(source.game)}`;
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
