import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The server serves what is built; while developing, Vite passes its requests on.
const server = process.env["STAMPEDE_SERVER"] ?? "http://127.0.0.1:8000";

function textsFile(id: string): string | null {
    const [, language, area] = /\/locales\/(\w+)\/(\w+)\.json$/.exec(id) ?? [];
    if (language === undefined || area === undefined) return null;
    const first = ["common", "errors", "home"].includes(area);
    if (first) return language === "en" ? null : `texts-${language}-first`;
    return `texts-${language}`;
}

export default defineConfig({
    plugins: [svelte()],
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
            output: {
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
