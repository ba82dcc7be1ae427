/**
 * Lessons from the server. A lesson comes with every answer and its outcome, so that it needs no further request, and is
 * kept in the browser: lessons that were loaded once work without the server.
 */
import { answerOf, restOnce, Unreachable } from "$lib/api/client";
import type { Lesson, LessonEntry } from "$lib/api/types";

const KEPT = "stampede-lessons";

async function store(): Promise<Cache | null> {
    return "caches" in globalThis ? caches.open(KEPT).catch(() => null) : null;
}

/** Loads something and keeps it; without the server, returns what was kept. */
async function keep<T>(address: string, load: () => Promise<T>): Promise<T> {
    const kept = await store();
    try {
        const found = await load();
        await kept?.put(address, new Response(JSON.stringify(found))).catch(() => undefined);
        return found;
    } catch (error) {
        const known = error instanceof Unreachable ? await kept?.match(address) : undefined;
        if (!known) throw error;
        return (await known.json()) as T;
    }
}

export async function listLessons(): Promise<LessonEntry[]> {
    const found = await keep("/api/lessons", () => answerOf(restOnce.GET("/api/lessons")));
    return found.lessons;
}

export function loadLesson(game: string, name: string): Promise<Lesson> {
    const params = { path: { game, name } };
    return keep(`/api/lessons/${game}/${name}`, () =>
        answerOf(restOnce.GET("/api/lessons/{game}/{name}", { params })),
    );
}

/** Fetches lessons one after another while nothing else happens, so that all of them are there offline. */
export async function keepLessons(lessons: readonly LessonEntry[]): Promise<void> {
    const kept = await store();
    if (!kept) return;
    for (const { game, name } of lessons) {
        if (await kept.match(`/api/lessons/${game}/${name}`)) continue;
        await new Promise((done) => setTimeout(done, 300));
        await loadLesson(game, name);
    }
}

export const addressOf = ({ game, name }: Pick<LessonEntry, "game" | "name">): string =>
    `${game}/${name}`;
