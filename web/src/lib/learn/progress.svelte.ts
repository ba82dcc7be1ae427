/** Which lessons are finished: kept on the device, and with the account of a player who is signed in. */
import { currentUser } from "$lib/account/account.svelte";
import { answerOf, restOnce } from "$lib/api/client";

const STORED = "stampede.learn";

function stored(): string[] {
    try {
        const found: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
        return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
    } catch {
        return [];
    }
}

class LearningProgress {
    finished = $state.raw<ReadonlySet<string>>(new Set(stored()));

    finish(lesson: string): void {
        this.#keep([...this.finished, lesson]);
        void this.sync();
    }

    /** Adds what the account knows, and tells it what this device knows; later, when there is no connection. */
    async sync(): Promise<void> {
        if (!currentUser.account) return;
        const body = { lessons: [...this.finished] };
        try {
            const { lessons } = await answerOf(restOnce.POST("/api/lessons/progress", { body }));
            this.#keep([...this.finished, ...lessons]);
        } catch {
            // The device knows it; the account learns of it next time.
        }
    }

    #keep(lessons: readonly string[]): void {
        this.finished = new Set(lessons);
        localStorage.setItem(STORED, JSON.stringify([...this.finished].sort()));
    }
}

export const progress = new LearningProgress();
