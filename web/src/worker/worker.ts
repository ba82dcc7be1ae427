/**
 * The service worker: the client opens without a network, and rules, lessons and puzzles that were seen can be read again.
 *
 * Pages are fetched from the network first, so an online visitor always has the server's version. Files with a hash in
 * their names come from the cache. Of the server's answers only those in `OPEN_ANSWERS` are kept: they are the same for
 * everyone. Nothing about a table, a seat or an account is ever stored. A new version takes over when all tabs of the
 * old one are closed, and deletes what only the old one needed.
 */
import { listenForNotices } from "./push";

/** The files of this build, as `vite.config.ts` fills them in. */
declare const __PRECACHE__: { version: string; hashed: string[]; plain: string[] };

const worker = self as unknown as ServiceWorkerGlobalScope;
const { version, hashed, plain } = __PRECACHE__;
const SHELL = `shell-${version}`;
const HASHED = "hashed";
const ANSWERS = "answers";
const MOST_ANSWERS = 60;
/** Answers that are the same for everyone and hide nothing. */
const OPEN_ANSWERS =
    /^\/api\/(?:games|editions|rules(?:\/[\w/-]+)?|lessons(?:\/[\w/-]+)?|puzzles\/(?:daily|\d+))$/;

async function install(): Promise<void> {
    const shell = await caches.open(SHELL);
    await Promise.all(["/", ...plain].map((path) => keepFresh(shell, path)));
    await keepHashed(hashed);
}

async function keepFresh(cache: Cache, path: string): Promise<void> {
    const response = await fetch(path, { cache: "no-cache" });
    if (!response.ok) throw new Error(`expected ${path}, got status ${response.status}`);
    await cache.put(path, response);
}

/** Fetches files that aren't kept yet. */
async function keepHashed(paths: string[]): Promise<void> {
    const cache = await caches.open(HASHED);
    const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    await Promise.all(
        paths.filter((path) => !known.has(path)).map((path) => cache.add(new Request(path))),
    );
}

async function activate(): Promise<void> {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("shell-") && name !== SHELL);
    await Promise.all(old.map((name) => caches.delete(name)));
    if (old.length > 0) await dropOldFiles();
    await worker.clients.claim();
}

/** Deletes files of earlier versions. Texts in other languages are kept again when they are read. */
async function dropOldFiles(): Promise<void> {
    const cache = await caches.open(HASHED);
    const wanted = new Set(hashed);
    for (const request of await cache.keys()) {
        if (!wanted.has(new URL(request.url).pathname)) await cache.delete(request);
    }
}

/** From the network; without one, the page that was kept: one document serves all addresses. */
async function page(request: Request): Promise<Response> {
    try {
        return await fetch(request);
    } catch (error) {
        const kept = await caches.match("/", { cacheName: SHELL });
        if (kept) return kept;
        throw error;
    }
}

async function file(request: Request): Promise<Response> {
    const kept = await caches.match(request, { cacheName: HASHED, ignoreVary: true });
    if (kept) return kept;
    const response = await fetch(request);
    if (response.ok) {
        const cache = await caches.open(HASHED);
        await cache.put(request, response.clone());
    }
    return response;
}

/** From the network, and kept; without one, what was kept last. */
async function answer(request: Request): Promise<Response> {
    try {
        const response = await fetch(request);
        if (response.ok) await keepAnswer(request, response.clone());
        return response;
    } catch (error) {
        const kept = await caches.match(request, { cacheName: ANSWERS, ignoreVary: true });
        if (kept) return kept;
        throw error;
    }
}

async function keepAnswer(request: Request, response: Response): Promise<void> {
    const cache = await caches.open(ANSWERS);
    await cache.put(request, response);
    const kept = await cache.keys();
    await Promise.all(
        kept.slice(0, Math.max(0, kept.length - MOST_ANSWERS)).map((old) => cache.delete(old)),
    );
}

async function plainFile(request: Request): Promise<Response> {
    try {
        return await fetch(request);
    } catch (error) {
        const kept = await caches.match(request, { cacheName: SHELL, ignoreVary: true });
        if (kept) return kept;
        throw error;
    }
}

function respond(request: Request): Promise<Response> | null {
    const { origin, pathname } = new URL(request.url);
    if (request.method !== "GET" || origin !== worker.location.origin) return null;
    if (pathname.startsWith("/api/")) return OPEN_ANSWERS.test(pathname) ? answer(request) : null;
    if (pathname.startsWith("/assets/")) return file(request);
    if (request.mode === "navigate") return page(request);
    return plain.includes(pathname) ? plainFile(request) : null;
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
    const response = respond(event.request);
    if (response) event.respondWith(response);
});
/** The page says which files it had loaded before this worker was there, and what its reader wants offline. */
worker.addEventListener("message", (event) => {
    const { keep = [], read = [] } = event.data as { keep?: string[]; read?: string[] };
    event.waitUntil(keepHashed(keep.filter((path) => path.startsWith("/assets/"))));
    for (const path of read.filter((one) => OPEN_ANSWERS.test(one.replace(/\?.*$/, "")))) {
        event.waitUntil(answer(new Request(path)));
    }
});
listenForNotices(worker);
