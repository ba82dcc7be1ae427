// @vitest-environment node
/** The browser's verifier accepts the shipped proofs that need no tablebase, and no changed or other file. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { Fault, verify } from "./verifier";

const folder = new URL(
    "../../../../../../src/stampede/proofs/certificates/shipped/",
    import.meta.url,
);
const read = (name: string) =>
    new Uint8Array(readFileSync(fileURLToPath(new URL(`${name}.cert`, folder))));

/** A certificate of one block whose first position is left out, with all checksums made anew. */
async function withoutFirst(name: string): Promise<Uint8Array> {
    const { deflateSync, inflateSync, crc32 } = await import("node:zlib");
    const { createHash } = await import("node:crypto");
    const file = Buffer.from(read(name));
    const length = file.readUInt32LE(8);
    const header = JSON.parse(file.subarray(16, 16 + length).toString()) as Record<string, unknown>;
    const at = 16 + length;
    const count = file.readUInt32LE(at);
    const planes = inflateSync(file.subarray(at + 12));
    const value = (index: number) => {
        let delta = 0n;
        for (let plane = 7; plane >= 0; plane--)
            delta = (delta << 8n) | BigInt(planes[plane * count + index]!);
        return delta;
    };
    const first = value(0) + value(1);
    const kept = Buffer.alloc(12 * (count - 1));
    for (let index = 1; index < count; index++)
        for (let plane = 0; plane < 12; plane++)
            kept[plane * (count - 1) + index - 1] =
                index === 1 && plane < 8
                    ? Number((first >> BigInt(8 * plane)) & 255n)
                    : planes[plane * count + index]!;
    const data = deflateSync(kept);
    const head = Buffer.alloc(12);
    head.writeUInt32LE(count - 1, 0);
    head.writeUInt32LE(data.length, 4);
    head.writeUInt32LE(crc32(Buffer.concat([head.subarray(0, 8), data])), 8);
    const body = Buffer.concat([head, data]);
    header["positions"] = count - 1;
    header["body"] = createHash("sha256").update(body).digest("hex");
    const text = Buffer.from(JSON.stringify(header));
    const start = Buffer.alloc(16);
    start.write("BUFFCERT");
    start.writeUInt32LE(text.length, 8);
    start.writeUInt32LE(crc32(text), 12);
    return new Uint8Array(Buffer.concat([start, text, body]));
}

describe("the verifier", () => {
    it.each([
        ["opening-abc-3", 129],
        ["opening-abc-233", 350],
    ])("proves %s", async (name, positions) => {
        const report = await verify(read(name));
        expect(report.positions).toBe(positions);
        expect(report.replies).toBeGreaterThan(10 * positions);
    });

    it("refuses a proof with an answer missing, even if its checksums are right", async () => {
        await expect(verify(await withoutFirst("opening-abc-3"))).rejects.toMatchObject({
            kind: "missing",
        });
    });

    it("refuses a file with any byte changed, and one that needs tablebases", async () => {
        const file = read("opening-abc-3");
        for (const at of [3, 40, file.length - 5]) {
            const changed = new Uint8Array(file);
            changed[at]! ^= 1;
            await expect(verify(changed)).rejects.toBeInstanceOf(Fault);
        }
        await expect(verify(read("columns-5"))).rejects.toMatchObject({ kind: "tablebases" });
    });
});
