/** Reads a review from the server as it is computed. */
import { Refusal, Unreachable } from "$lib/api/client";
import type { Problem, ReviewLine } from "$lib/api/types";
import { bodyOf, type Source } from "$lib/replay/load";

/** Calls back with each line until the review is complete. Aborting stops the work on the server, too. */
export async function streamReview(
    source: Source,
    onLine: (line: ReviewLine) => void,
    signal: AbortSignal,
): Promise<void> {
    const response = await fetch("/api/reviews", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(bodyOf(source)),
        signal,
    }).catch((error: unknown) => {
        throw new Unreachable(String(error));
    });
    if (!response.ok || !response.body) {
        const problem = (await response.json().catch(() => null)) as Problem | null;
        const unknown = { error: "refused", message: response.statusText };
        const later = Number(response.headers.get("Retry-After") ?? NaN);
        const retry = Number.isFinite(later) ? { retry_after: later } : {};
        throw new Refusal(response.status, { ...retry, ...(problem ?? unknown) });
    }
    for await (const line of linesOf(response.body)) onLine(JSON.parse(line) as ReviewLine);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read();
        rest += decoder.decode(value, { stream: !done });
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        yield* lines.filter(Boolean);
        if (done) break;
    }
    if (rest) yield rest;
}
