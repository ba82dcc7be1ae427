/** Whether the server answers: what the start page says while it doesn't. */
import { Unreachable } from "$lib/api/client";

class Network {
    /** Whether the last request that was watched found no server. */
    away = $state(false);
    /** Whether the device itself says that it has no network. */
    offline = $state(typeof navigator !== "undefined" && navigator.onLine === false);

    constructor() {
        if (typeof window === "undefined") return;
        window.addEventListener("online", () => {
            this.offline = false;
            this.away = false;
        });
        window.addEventListener("offline", () => {
            this.offline = true;
            this.away = true;
        });
        this.away = this.offline;
    }

    /** Makes a request and notes whether it found the server; undefined when it failed. */
    async watch<T>(request: () => Promise<T>): Promise<T | undefined> {
        try {
            const found = await request();
            this.away = this.offline;
            return found;
        } catch (error) {
            if (error instanceof Unreachable) this.away = true;
            return undefined;
        }
    }
}

export const network = new Network();
