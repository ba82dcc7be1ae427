import { GAME_NAMES } from "$lib/games";
import { language } from "$lib/i18n/index.svelte";

/** Installs the service worker (`worker.ts`) once the page stands: it fetches the rest of the client in the background. */
export function registerWorker(): void {
    if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
    const begin = () => void install().catch(() => undefined); // the client works without it, too
    if (document.readyState === "complete") begin();
    else window.addEventListener("load", begin, { once: true });
}

async function install(): Promise<void> {
    await navigator.serviceWorker.register("/sw.js");
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
    const keep = loaded.filter(({ origin }) => origin === location.origin);
    active?.postMessage({
        keep: keep.map(({ pathname }) => pathname),
        read: [
            "/api/games",
            ...GAME_NAMES.map((game) => `/api/rules/${game}/${language.current}`),
            ...keep
                .filter(({ pathname }) => pathname === "/api/puzzles/daily")
                .map(({ pathname, search }) => pathname + search),
        ],
    });
}
