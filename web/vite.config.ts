import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

// The server serves what is built; while developing, Vite passes its requests on.
const server = process.env["STAMPEDE_SERVER"] ?? "http://127.0.0.1:8000";

const WORKER = "sw.js";

/** Tells the service worker which files to keep: all of the client but the texts in other languages. */
function precache(): Plugin {
    return {
        name: "stampede-precache",
        apply: "build",
        enforce: "post",
        generateBundle(_, bundle) {
            const worker = bundle[WORKER];
            if (worker?.type !== "chunk") throw new Error(`expected a chunk ${WORKER}`);
            const foreign = /\/locales\/(?!en\/)\w+\/\w+\.json$/;
            const hashed = Object.values(bundle)
                .filter(
                    (file) =>
                        file.type !== "chunk" || !file.moduleIds.some((id) => foreign.test(id)),
                )
                .map(({ fileName }) => fileName)
                .filter((name) => name.startsWith("assets/") && !foreign.test(name))
                .sort();
            const page = bundle["index.html"];
            const hash = createHash("sha256").update(JSON.stringify(hashed));
            if (page?.type === "asset") hash.update(page.source);
            const files = {
                version: hash.digest("hex").slice(0, 12),
                hashed: hashed.map((name) => `/${name}`),
                plain: readdirSync(new URL("./public", import.meta.url), { withFileTypes: true })
                    .filter((entry) => entry.isFile())
                    .map(({ name }) => `/${name}`),
            };
            worker.code = worker.code.replaceAll("__PRECACHE__", JSON.stringify(files));
        },
    };
}

function textsFile(id: string): string | null {
    const [, language, area] = /\/locales\/(\w+)\/(\w+)\.json$/.exec(id) ?? [];
    if (language === undefined || area === undefined) return null;
    const first = ["common", "errors", "home"].includes(area);
    if (first) return language === "en" ? null : `texts-${language}-first`;
    return `texts-${language}`;
}

export default defineConfig({
    plugins: [svelte(), precache()],
    resolve: {
        alias: { $lib: fileURLToPath(new URL("./src/lib", import.meta.url)) },
        ...(process.env["VITEST"] ? { conditions: ["browser"] } : {}),
    },
    build: {
        outDir: "../src/stampede/server/web",
        emptyOutDir: true,
        target: "es2022",
        // The test of the first load's size reads it.
        manifest: true,
        rolldownOptions: {
            input: {
                index: fileURLToPath(new URL("./index.html", import.meta.url)),
                worker: fileURLToPath(new URL("./src/worker/worker.ts", import.meta.url)),
            },
            output: {
                // Browsers look for a service worker at one address.
                entryFileNames: ({ name }) =>
                    name === "worker" ? WORKER : "assets/[name]-[hash].js",
                codeSplitting: {
                    groups: [
                        {
                            // A language's texts come in two files: the start page's, and all others.
                            test: /\/locales\/\w+\/\w+\.json$/,
                            name: (id) => textsFile(id),
                        },
                    ],
                },
            },
        },
    },
    server: { proxy: { "/api": { target: server, ws: true } } },
    test: {
        // One window for all test files: making one anew for each takes longer than the tests.
        isolate: false,
        environment: "jsdom",
        include: ["src/**/*.test.ts"],
        setupFiles: ["src/testSetup.ts"],
        // Style sheets are empty in tests, but for the colours whose contrast is measured.
        css: { include: [/tokens\.css/] },
        // A hang is a bug, a slow machine isn't.
        testTimeout: 120_000,
        hookTimeout: 120_000,
    },
});
