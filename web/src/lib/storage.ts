/** Keeps settings in memory where a browser forbids storage, as many do in another site's frame. Imported first. */
class MemoryStorage implements Storage {
    #kept = new Map<string, string>();

    get length(): number {
        return this.#kept.size;
    }

    clear(): void {
        this.#kept.clear();
    }

    getItem(key: string): string | null {
        return this.#kept.get(key) ?? null;
    }

    key(index: number): string | null {
        return [...this.#kept.keys()][index] ?? null;
    }

    removeItem(key: string): void {
        this.#kept.delete(key);
    }

    setItem(key: string, value: string): void {
        this.#kept.set(key, value);
    }
}

export function ensureStorage(scope: Window = window): void {
    try {
        scope.localStorage.getItem("");
    } catch {
        Object.defineProperty(scope, "localStorage", { value: new MemoryStorage() });
    }
}

ensureStorage();
