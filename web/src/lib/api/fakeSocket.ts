/** A WebSocket whose other end is a test. */
import type { ServerFrame } from "./types";

export class FakeSocket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSED = 3;
    static all: FakeSocket[] = [];

    readyState = FakeSocket.CONNECTING;
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: ((event: { code: number }) => void) | null = null;
    sent: Record<string, unknown>[] = [];

    constructor(
        readonly url: string,
        readonly offers: string[],
    ) {
        FakeSocket.all.push(this);
    }

    static get latest(): FakeSocket {
        const last = FakeSocket.all.at(-1);
        if (!last) throw new Error("expected a connection, got none");
        return last;
    }

    get since(): string | null {
        return new URL(this.url).searchParams.get("since");
    }

    get commands(): Record<string, unknown>[] {
        return this.sent.filter((frame) => frame["type"] === "command");
    }

    send(text: string): void {
        this.sent.push(JSON.parse(text) as Record<string, unknown>);
    }

    close(): void {
        this.readyState = FakeSocket.CLOSED;
    }

    /** Receives a frame; it needs only the fields that the client reads. */
    say(frame: Record<string, unknown> & { type: ServerFrame["type"] }): void {
        this.readyState = FakeSocket.OPEN;
        this.onmessage?.({ data: JSON.stringify(frame) });
    }

    welcome(seq: number, messages: unknown[] = []): void {
        const view = { seq, decision: { id: `d${seq}`, awaited: [0] } };
        this.say({ type: "welcome", seq, messages, view, players: [0], player: 0 });
    }

    /** The connection breaks, or the server closes it. */
    drop(code = 1006): void {
        this.readyState = FakeSocket.CLOSED;
        this.onclose?.({ code });
    }
}
