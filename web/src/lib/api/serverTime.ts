/**
 * The server's time, by which clocks run. This device's own clock may be wrong, so only the difference between what the
 * server said last and what has passed here since then counts.
 */
let offset: number | null = null;

/** Takes down what time the server says it is. */
export function noteServerTime(now: number): void {
    offset = now - performance.now();
}

/** Milliseconds since 1970 at the server; by this device's clock as long as the server hasn't said anything. */
export function serverNow(): number {
    return offset === null ? Date.now() : performance.now() + offset;
}
