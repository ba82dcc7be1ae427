/** The server's OpenAPI as the page shows it: operations by part, and types as text. */

export type Schema = {
    $ref?: string;
    type?: string;
    format?: string;
    title?: string;
    description?: string;
    const?: unknown;
    enum?: unknown[];
    anyOf?: Schema[];
    oneOf?: Schema[];
    allOf?: Schema[];
    items?: Schema;
    prefixItems?: Schema[];
    properties?: Record<string, Schema>;
    required?: string[];
    additionalProperties?: boolean | Schema;
};

export type Parameter = {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
};

export type Example = { path: string; status: number; body?: unknown; answer: unknown };

type Content = Record<string, { schema?: Schema }>;

export type Operation = {
    summary?: string;
    description?: string;
    parameters?: Parameter[];
    requestBody?: { content: Content };
    responses: Record<string, { content?: Content }>;
    "x-example"?: Example;
};

export type OpenApi = {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
};

export type Route = { id: string; method: string; path: string; operation: Operation };

const METHODS = ["get", "post", "put", "patch", "delete"];

/** The part of the server that a path belongs to: what follows `/api/`. */
const partOf = (path: string) => path.split("/")[2] ?? "";

/** Parts that belong together are one. */
const JOINED: Record<string, string> = {
    accounts: "account",
    names: "account",
    sessions: "account",
    records: "replay",
    reviews: "analyse",
    blocks: "tables",
    words: "tables",
    exhibition: "tables",
    people: "ratings",
    statistics: "ratings",
};

export function routesByPart(api: OpenApi): [string, Route[]][] {
    const parts = new Map<string, Route[]>();
    for (const [path, methods] of Object.entries(api.paths))
        for (const method of METHODS) {
            const operation = methods[method];
            if (!operation) continue;
            const part = JOINED[partOf(path)] ?? partOf(path);
            const route = {
                id: `${method} ${path}`,
                method: method.toUpperCase(),
                path,
                operation,
            };
            parts.set(part, [...(parts.get(part) ?? []), route]);
        }
    return [...parts].sort(([one], [other]) => one.localeCompare(other));
}

export const nameOf = (reference: string): string => reference.split("/").at(-1) ?? "";

/** A type as TypeScript would write it; other types by their names. */
export function typeText(schema: Schema | undefined, indent = ""): string {
    if (!schema) return "unknown";
    if (schema.$ref) return nameOf(schema.$ref);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
    const several = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (several) {
        const texts = [...new Set(several.map((one) => typeText(one, indent)))];
        return texts.join(schema.allOf ? " & " : " | ");
    }
    if (schema.prefixItems)
        return `[${schema.prefixItems.map((one) => typeText(one, indent)).join(", ")}]`;
    if (schema.type === "array") {
        const item = typeText(schema.items, indent);
        return /[ |&]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    if (schema.properties) return objectText(schema, indent);
    if (typeof schema.additionalProperties === "object")
        return `{ [key: string]: ${typeText(schema.additionalProperties, indent)} }`;
    return schema.type ?? "unknown";
}

function objectText({ properties = {}, required = [] }: Schema, indent: string): string {
    const inner = `${indent}    `;
    const lines = Object.entries(properties).map(([key, value]) => {
        const note = value.description ? `  // ${value.description}` : "";
        const mark = required.includes(key) ? "" : "?";
        return `${inner}${key}${mark}: ${typeText(value, inner)};${note}`;
    });
    return lines.length > 0 ? `{\n${lines.join("\n")}\n${indent}}` : "{}";
}

/** The type of a body or an answer, whatever it is sent as. */
export function contentType(
    content: Content | undefined,
): { kind: string; schema?: Schema } | null {
    const [kind, found] = Object.entries(content ?? {})[0] ?? [];
    if (!kind) return null;
    return found?.schema ? { kind, schema: found.schema } : { kind };
}

/** The names of all types that a text of types mentions. */
export const namesIn = (text: string, known: Record<string, Schema>): string[] =>
    [...new Set(text.match(/\b[A-Z]\w+/g) ?? [])].filter((name) => name in known);
