/** What this device remembers of puzzles: the days that were solved, which accounts keep, too, and how many in a row. */

export type DayResult = "solved" | "helped";
export type Progress = {
    /** What became of a day's puzzle, by ISO day. */
    days: Record<string, DayResult>;
    /** Puzzles of the endless kind solved in a row, now and at most. */
    row: number;
    best: number;
    /** The latest ones, so that they don't come again soon. */
    seen: number[];
};

/** Where a collection is remembered that has no other place. */
const STORED = "stampede.puzzles";
const MAX_SEEN = 150;
const DAY = 24 * 60 * 60 * 1000;

const EMPTY: Progress = { days: {}, row: 0, best: 0, seen: [] };

export function load(stored = STORED): Progress {
    try {
        const found = JSON.parse(localStorage.getItem(stored) ?? "{}") as Partial<Progress>;
        return { ...EMPTY, ...found };
    } catch {
        return EMPTY;
    }
}

function save(progress: Progress, stored: string): Progress {
    localStorage.setItem(stored, JSON.stringify(progress));
    return progress;
}

/** Notes what became of a day's puzzle; the first result stays. */
export function noteDay(day: string, result: DayResult, stored = STORED): Progress {
    const now = load(stored);
    return now.days[day] ? now : save({ ...now, days: { ...now.days, [day]: result } }, stored);
}

/** Adds the days that an account has kept; where it knows another result, that one stays. */
export function addDays(days: Progress["days"], stored = STORED): Progress {
    const now = load(stored);
    return save({ ...now, days: { ...now.days, ...days } }, stored);
}

/** Notes a puzzle of the endless kind: solved without help, or not. */
export function noteSolved(number: number, solved: boolean, stored = STORED): Progress {
    const now = load(stored);
    const row = solved ? now.row + 1 : 0;
    const seen = [...now.seen.filter((one) => one !== number), number].slice(-MAX_SEEN);
    return save({ ...now, row, best: Math.max(row, now.best), seen }, stored);
}

export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day here, on this device's clock. */
export function today(now = new Date()): string {
    return isoDay(now.getTime() - now.getTimezoneOffset() * 60_000);
}

/** How many days in a row were solved without help, up to today; a day that isn't over yet breaks nothing. */
export function streak(days: Progress["days"], now: string): number {
    let time = Date.parse(now);
    if (days[isoDay(time)] === undefined) time -= DAY;
    let count = 0;
    while (days[isoDay(time)] === "solved") {
        count += 1;
        time -= DAY;
    }
    return count;
}

/** The weeks of a month, from Monday to Sunday; null for days of other months. */
export function weeksOf(month: string): (string | null)[][] {
    const first = new Date(`${month}-01T00:00:00Z`);
    const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
    const before = (first.getUTCDay() + 6) % 7;
    const cells: (string | null)[] = Array<null>(before).fill(null);
    for (let day = 1; day <= length.getUTCDate(); day++)
        cells.push(`${month}-${String(day).padStart(2, "0")}`);
    while (cells.length % 7 > 0) cells.push(null);
    return Array.from({ length: cells.length / 7 }, (_, week) =>
        cells.slice(7 * week, 7 * week + 7),
    );
}
