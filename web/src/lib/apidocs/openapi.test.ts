import { describe, expect, it } from "vitest";
import { namesIn, routesByPart, typeText, type OpenApi } from "./openapi";

const operation = { responses: {} };
const api: OpenApi = {
    paths: {
        "/api/tables": { get: operation, post: operation },
        "/api/names": { get: operation },
        "/api/account": { delete: operation },
    },
    components: { schemas: {} },
};

describe("the page of requests", () => {
    it("sorts requests by part, and joins those that belong together", () => {
        const parts = routesByPart(api).map(([part, routes]) => [
            part,
            routes.map(({ method, path }) => `${method} ${path}`),
        ]);
        expect(parts).toEqual([
            ["account", ["GET /api/names", "DELETE /api/account"]],
            ["tables", ["GET /api/tables", "POST /api/tables"]],
        ]);
    });

    it("writes types as TypeScript does", () => {
        const text = typeText({
            type: "object",
            required: ["seat"],
            properties: {
                seat: { type: "integer", description: "From 0." },
                side: { anyOf: [{ enum: ["buffalo", "hunter"] }, { type: "null" }] },
                names: { type: "array", items: { $ref: "#/components/schemas/Name" } },
                more: { type: "object", additionalProperties: { type: "string" } },
            },
        });
        expect(text).toBe(
            [
                "{",
                "    seat: integer;  // From 0.",
                '    side?: "buffalo" | "hunter" | null;',
                "    names?: Name[];",
                "    more?: { [key: string]: string };",
                "}",
            ].join("\n"),
        );
        expect(namesIn(text, { Name: {}, Other: {} })).toEqual(["Name"]);
    });
});
