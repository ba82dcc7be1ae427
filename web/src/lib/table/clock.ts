/** What a player's clock shows, and what a screen reader says of it. */
import { unit } from "$lib/i18n/index.svelte";
import type { PlayerView } from "$lib/api/types";

export type PlayerClock = NonNullable<PlayerView["clock"]>;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** What is said when so many seconds are left: the numbers between them would only disturb. */
const SPOKEN = [10, 30, 60];

/** Milliseconds left at a moment of the server's time. A clock that starts later stands until then. */
export function timeLeft(clock: PlayerClock, now: number): number {
    const spent = clock.running_since === null ? 0 : Math.max(0, now - clock.running_since);
    return Math.max(0, clock.left_ms - spent);
}

/** Whether time runs at that moment. */
export const isRunning = (clock: PlayerClock, now: number): boolean =>
    clock.running_since !== null && clock.running_since <= now;

/** Whether so little is left, of so much, that the player should hurry. */
export const isLow = (left: number, limit: number): boolean =>
    left <= Math.min(Math.max(limit / 6, 10 * SECOND), HOUR);

/** What is left as a clock shows it: 0:08, 12:30, 1:05:00, 2d 3h. */
export function face(left: number): string {
    const seconds = Math.ceil(left / SECOND);
    const days = Math.floor(seconds / 86_400);
    const hours = Math.floor((seconds % 86_400) / 3600);
    if (days > 0) return `${unit(days, "day", "narrow")} ${unit(hours, "hour", "narrow")}`;
    const minutes = Math.floor((seconds % 3600) / 60);
    const two = (value: number): string => String(value).padStart(2, "0");
    const rest = two(seconds % 60);
    return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** What is left in words, rounded so that it changes seldom: below a minute to ten seconds, then to minutes. */
export function words(left: number): string {
    if (left >= DAY) return unit(Math.round(left / DAY), "day", "long");
    if (left >= HOUR) return unit(Math.round(left / HOUR), "hour", "long");
    if (left > MINUTE) return unit(Math.ceil(left / MINUTE), "minute", "long");
    return unit(Math.ceil(left / SECOND / 10) * 10, "second", "long");
}

/** How many seconds to say that are left: the least of a few steps that isn't passed yet; null while there is time. */
export function spokenStep(left: number): number | null {
    return left <= 0 ? null : (SPOKEN.find((step) => left <= step * SECOND) ?? null);
}
