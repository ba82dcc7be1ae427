/**
 * A table, live: one WebSocket, resumed from the last number seen, without a reload.
 *
 * A command that is under way when the connection is lost is sent again with its key, so it is neither lost nor doubled.
 */
import { newKey, Refusal, Unreachable } from "./client";
import type { components } from "./schema";
import type { Ack, Command, Message, Problem, ServerFrame, TableView } from "./types";

export type Connection = "connecting" | "open" | "lost" | "refused";

type Said = components["schemas"]["SaidAnswer"];

type Waiting = {
    command: Command;
    done: (ack: Ack) => void;
    failed: (error: Error) => void;
};

const PAUSES = [250, 500, 1000, 2000, 4000, 8000];
/** The server's heartbeat is shorter; silence longer than this means the line is dead. */
const SILENCE = 45_000;
const STALE = 409;
/** A socket's closing code is this and a status; a status that passes (too fast, too busy) is tried again. */
const CLOSED_BY_STATUS = 4000;
const PASSING = [429, 503];

export type LiveOptions = {
    /** Through which own chair to look. */
    player?: number | null;
    /** A seat's or an invitation's token. */
    token?: string | null;
    /** Called for every message, in order, with the view that follows. */
    onMessages?: (messages: Message[], view: TableView) => void;
    /** Called when somebody at the table says something. */
    onChat?: (said: Said) => void;
};

/** A view with what is new in it: parts replace parts, and within the game's own part the same. */
export function merged(view: TableView, changes: Partial<TableView> | object): TableView {
    const next: TableView = { ...view, ...changes };
    if (view.view && next.view !== view.view) next.view = { ...view.view, ...next.view };
    return next;
}

export class LiveTable {
    view = $state.raw<TableView | null>(null);
    connection = $state<Connection>("connecting");
    /** Why the server doesn't let us look. */
    problem = $state.raw<Problem | null>(null);
    /** The chairs that this device may play. */
    mine = $state.raw<number[]>([]);
    /** Commands that aren't acknowledged yet. */
    pending = $state(0);

    #socket: WebSocket | null = null;
    #waiting = new Map<string, Waiting>();
    #seen: number | null = null;
    /** The view that changes are about. What is shown may be another one: a refusal can bring another chair's. */
    #told: TableView | null = null;
    #failures = 0;
    #closed = false;
    #heard = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        readonly table: string,
        readonly options: LiveOptions = {},
    ) {}

    /** Whether this device's chairs are awaited. */
    get myTurn(): boolean {
        const awaited = this.view?.decision?.awaited ?? [];
        return this.mine.some((player) => awaited.includes(player));
    }

    open(): void {
        this.#connect();
        window.addEventListener("online", this.#hurry);
        window.addEventListener("offline", this.#cut);
        document.addEventListener("visibilitychange", this.#hurry);
    }

    close(): void {
        this.#closed = true;
        clearTimeout(this.#timer);
        window.removeEventListener("online", this.#hurry);
        window.removeEventListener("offline", this.#cut);
        document.removeEventListener("visibilitychange", this.#hurry);
        this.#socket?.close();
    }

    /** Looks through another own chair: for hot-seat tables. */
    look(player: number | null): void {
        this.options.player = player;
        this.#seen = null;
        this.#restart();
    }

    /** Sends a command; resolves when it is durable. */
    send(command: Command): Promise<Ack> {
        const key = newKey();
        return new Promise((done, failed) => {
            this.#waiting.set(key, { command, done, failed });
            this.pending = this.#waiting.size;
            this.#post(key);
        });
    }

    /** Answers the decision that is shown. */
    act(player: number, action: unknown): Promise<Ack> {
        const decision = this.view?.decision?.id ?? "";
        return this.send({ type: "act", player, decision, action } as Command);
    }

    #post(key: string): void {
        const waiting = this.#waiting.get(key);
        if (waiting && this.#socket?.readyState === WebSocket.OPEN) {
            this.#socket.send(JSON.stringify({ type: "command", key, command: waiting.command }));
        }
    }

    #connect(): void {
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        const query = new URLSearchParams({ changes: "true" });
        if (this.options.player != null) query.set("player", String(this.options.player));
        if (this.#seen !== null) query.set("since", String(this.#seen));
        const url = `${scheme}://${location.host}/api/tables/${this.table}/socket?${query}`;
        const offers = this.options.token
            ? ["stampede", `token.${this.options.token}`]
            : ["stampede"];
        const socket = new WebSocket(url, offers);
        this.#socket = socket;
        this.#heard = Date.now();
        socket.onmessage = (event) => {
            if (socket === this.#socket) this.#take(JSON.parse(String(event.data)) as ServerFrame);
        };
        socket.onclose = (event) => this.#lost(socket, event.code);
    }

    #take(frame: ServerFrame): void {
        this.#heard = Date.now();
        switch (frame.type) {
            case "welcome":
                this.connection = "open";
                this.#failures = 0;
                this.mine = frame.players;
                this.#show(frame.messages, frame.view, frame.seq);
                for (const key of this.#waiting.keys()) this.#post(key);
                this.#watch();
                break;
            case "update":
                this.#update(frame);
                break;
            case "chat":
                this.options.onChat?.(frame);
                break;
            case "ack":
                this.#settle(frame.key, (waiting) => this.#done(waiting, frame));
                break;
            case "error":
                this.#refused(frame);
                break;
            case "ping":
                this.#socket?.send('{"type":"pong"}');
                break;
            case "pong":
                break;
        }
    }

    /** What happened, with the view as it is now, or with what is new in it. */
    #update(frame: Extract<ServerFrame, { type: "update" }>): void {
        const view = frame.view ?? (this.#told && merged(this.#told, frame.changes ?? {}));
        if (view) this.#show(frame.messages, view, frame.seq);
        else this.#restart();
    }

    #show(messages: Message[], view: TableView, seq: number): void {
        const first = this.#seen === null;
        this.#seen = seq;
        this.#told = view;
        this.view = view;
        this.options.onMessages?.(first ? [] : messages, view);
    }

    #refused(frame: Extract<ServerFrame, { type: "error" }>): void {
        if (frame.key === null || !this.#waiting.has(frame.key)) {
            if (this.connection !== "open" && !PASSING.includes(frame.status)) {
                this.problem = frame;
                this.connection = "refused";
            }
            return;
        }
        if (frame.status === STALE && frame.view) this.view = frame.view;
        this.#settle(frame.key, (waiting) => waiting.failed(new Refusal(frame.status, frame)));
    }

    #settle(key: string, how: (waiting: Waiting) => void): void {
        const waiting = this.#waiting.get(key);
        if (!waiting) return;
        this.#waiting.delete(key);
        this.pending = this.#waiting.size;
        how(waiting);
    }

    /** Whoever has sat down sees with other eyes: the line is opened anew, from where it was. */
    #done(waiting: Waiting, ack: Ack): void {
        waiting.done(ack);
        if (waiting.command.type === "claim") this.#restart();
    }

    #lost(socket: WebSocket, code: number): void {
        if (this.#closed || socket !== this.#socket) return;
        const status = code - CLOSED_BY_STATUS;
        if (status >= 400 && status < 1000 && !PASSING.includes(status)) {
            this.connection = "refused";
            for (const key of [...this.#waiting.keys()]) {
                this.#settle(key, (waiting) => waiting.failed(new Unreachable("refused")));
            }
            return;
        }
        this.connection = "lost";
        const wait = PAUSES[Math.min(this.#failures++, PAUSES.length - 1)] ?? 8000;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
    }

    /** A line that is silent for too long is dead, though nobody said so. */
    #watch(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            if (Date.now() - this.#heard > SILENCE) this.#restart();
            else this.#watch();
        }, SILENCE / 3);
    }

    #restart(): void {
        const old = this.#socket;
        this.#socket = null;
        if (old) old.onclose = null;
        old?.close();
        clearTimeout(this.#timer);
        this.connection = "connecting";
        this.#connect();
    }

    /** The device says that it has no network: believe it, but try; the server may be on this very device. */
    #cut = (): void => {
        const old = this.#socket;
        if (!old || this.connection !== "open") return;
        old.onclose = null;
        old.close();
        this.#lost(old, 0);
    };

    #hurry = (): void => {
        if (this.connection === "lost" && document.visibilityState === "visible") this.#restart();
    };
}
