/**
 * A live table: one WebSocket that reconnects with backoff and resumes after the last sequence number it has seen.
 *
 * Commands carry an idempotency key. Those that aren't acknowledged when the connection is lost are sent again with
 * their keys, so none is lost and none is applied twice. A table that was opened a moment ago is shown at once; until its
 * socket is there, commands go over HTTP.
 */
import { api, newIdempotencyKey, Refusal, Unreachable } from "./client";
import { noteServerTime } from "./serverTime";
import type { Ack, ChatMessage, Command, Frame, GameAction, Message, Problem } from "./types";
import type { ServerFrame, TableAnswer, TableChanges, TableView } from "./types";

export type Connection = "connecting" | "open" | "lost" | "refused";

type PendingCommand = {
    command: Command;
    resolve: (ack: Ack) => void;
    reject: (error: Error) => void;
};

/** Milliseconds before each attempt to reconnect; the last one repeats. Jitter is added. */
const BACKOFF = [250, 500, 1000, 2000, 4000, 8000];
const LONGEST_BACKOFF = 8000;
/** The server's heartbeat is more frequent: after this long without a frame the connection is dead. */
const HEARTBEAT_TIMEOUT = 45_000;
const CONFLICT = 409;
/** The server closes a socket with this plus an HTTP status. */
const CLOSED_BY_STATUS = 4000;
/** Statuses that pass (too fast, too busy): reconnect. */
const TRANSIENT = [429, 503];

export type LiveOptions = {
    /** Which own chair to see the table from. */
    player?: number | null;
    /** A seat's or an invitation's token. */
    token?: string | null;
    /** Where the table stands, if the page knows it already. */
    start?: TableAnswer | null;
    /** Called for every batch of messages, in order, with the view that follows. */
    onMessages?: (messages: Message[], view: TableView) => void;
    onChat?: (message: ChatMessage) => void;
};

/** A view with an update's changes: its parts replace parts, and inside the game's own view likewise. */
function applyChanges(view: TableView, changes: TableChanges): TableView {
    const game = view.view && changes.view ? { ...view.view, ...changes.view } : changes.view;
    // The changes of a game's view come with no other game's view, which the types don't say.
    return { ...view, ...changes, ...(game ? { view: game } : {}) } as TableView;
}

export class LiveTable {
    view = $state.raw<TableView | null>(null);
    connection = $state<Connection>("connecting");
    /** Why the server refuses to show the table. */
    problem = $state.raw<Problem | null>(null);
    /** The chairs that this device may play. */
    mine = $state.raw<number[]>([]);
    /** How many commands aren't acknowledged yet. */
    pending = $state(0);

    #socket: WebSocket | null = null;
    #pending = new Map<string, PendingCommand>();
    #lastSeq: number | null = null;
    /** The view that changes apply to. `view` may be another one: a refusal can bring another chair's. */
    #base: TableView | null = null;
    #failures = 0;
    /** Whether a socket has ever said where the table stands. */
    #welcomed = false;
    #closed = false;
    #lastFrameAt = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(
        readonly table: string,
        readonly options: LiveOptions = {},
    ) {}

    /** Whether the table waits for one of this device's chairs. */
    get myTurn(): boolean {
        const awaited = this.view?.decision?.awaited ?? [];
        return this.mine.some((player) => awaited.includes(player));
    }

    open(): void {
        const { start } = this.options;
        if (start) {
            noteServerTime(start.now);
            this.mine = start.players;
            this.#show([], start.view, start.seq);
        }
        this.#connect();
        window.addEventListener("online", this.#reconnectIfLost);
        window.addEventListener("offline", this.#onOffline);
        document.addEventListener("visibilitychange", this.#reconnectIfLost);
    }

    close(): void {
        this.#closed = true;
        clearTimeout(this.#timer);
        window.removeEventListener("online", this.#reconnectIfLost);
        window.removeEventListener("offline", this.#onOffline);
        document.removeEventListener("visibilitychange", this.#reconnectIfLost);
        this.#socket?.close();
    }

    /** Sees the table from another own chair: for hot-seat tables. */
    viewAs(player: number | null): void {
        this.options.player = player;
        this.#reconnect();
    }

    /** Sends a command; resolves when it is durable. */
    send(command: Command): Promise<Ack> {
        const key = newIdempotencyKey();
        return new Promise((resolve, reject) => {
            this.#pending.set(key, { command, resolve, reject });
            this.pending = this.#pending.size;
            this.#transmit(key);
        });
    }

    /** Answers the decision that is shown. */
    act(player: number, action: GameAction): Promise<Ack> {
        const decision = this.view?.decision?.id ?? "";
        return this.send({ type: "act", player, decision, action });
    }

    #transmit(key: string): void {
        const pending = this.#pending.get(key);
        if (!pending) return;
        if (this.#socket?.readyState === WebSocket.OPEN) {
            this.#socket.send(JSON.stringify({ type: "command", key, command: pending.command }));
        } else if (this.options.start && !this.#welcomed) {
            void this.#post(key, pending.command);
        }
    }

    /** Sends a command over HTTP, which is quicker than a socket's handshake. The socket sends it again unless it is answered. */
    async #post(key: string, command: Command): Promise<void> {
        try {
            const ack = await api.command(this.table, command, key);
            this.#settle(key, (pending) => this.#acknowledge(pending, ack));
        } catch (error) {
            if (error instanceof Refusal) this.#refuse(key, error);
        }
    }

    #connect(): void {
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        const query = new URLSearchParams({ changes: "true" });
        if (this.options.player != null) query.set("player", String(this.options.player));
        if (this.#lastSeq !== null) query.set("since", String(this.#lastSeq));
        const url = `${scheme}://${location.host}/api/tables/${this.table}/socket?${query}`;
        const protocols = this.options.token
            ? ["stampede", `token.${this.options.token}`]
            : ["stampede"];
        const socket = new WebSocket(url, protocols);
        this.#socket = socket;
        this.#lastFrameAt = Date.now();
        socket.onmessage = (event) => {
            if (socket === this.#socket)
                this.#receive(JSON.parse(String(event.data)) as ServerFrame);
        };
        socket.onclose = (event) => this.#onClose(socket, event.code);
    }

    #receive(frame: ServerFrame): void {
        this.#lastFrameAt = Date.now();
        if ("now" in frame) noteServerTime(frame.now);
        switch (frame.type) {
            case "welcome":
                this.connection = "open";
                this.#failures = 0;
                this.#welcomed = true;
                this.mine = frame.players;
                this.#show(frame.messages, frame.view, frame.seq);
                for (const key of this.#pending.keys()) this.#transmit(key);
                this.#watchHeartbeat();
                break;
            case "update":
                this.#update(frame);
                break;
            case "chat":
                this.options.onChat?.(frame);
                break;
            case "ack":
                this.#settle(frame.key, (pending) => this.#acknowledge(pending, frame));
                break;
            case "error":
                this.#onError(frame);
                break;
            case "ping":
                this.#socket?.send('{"type":"pong"}');
                break;
            case "pong":
                break;
        }
    }

    /** Takes an update, which brings the whole view or only its changes. */
    #update(frame: Frame<"update">): void {
        const view = frame.view ?? (this.#base && applyChanges(this.#base, frame.changes ?? {}));
        if (view) this.#show(frame.messages, view, frame.seq);
        else this.#reconnect();
    }

    #show(messages: Message[], view: TableView, seq: number): void {
        const first = this.#lastSeq === null;
        this.#lastSeq = seq;
        this.#base = view;
        this.view = view;
        this.options.onMessages?.(first ? [] : messages, view);
    }

    #onError(frame: Frame<"error">): void {
        if (frame.key === null || !this.#pending.has(frame.key)) {
            if (this.connection !== "open" && !TRANSIENT.includes(frame.status)) {
                this.problem = frame;
                this.connection = "refused";
            }
            return;
        }
        this.#refuse(frame.key, new Refusal(frame.status, frame));
    }

    /** A command is refused. One that came too late brings the view as it is now. */
    #refuse(key: string, refusal: Refusal): void {
        const { status, problem } = refusal;
        if (this.#pending.has(key) && status === CONFLICT && problem.view) this.view = problem.view;
        this.#settle(key, (pending) => pending.reject(refusal));
    }

    #settle(key: string, how: (pending: PendingCommand) => void): void {
        const pending = this.#pending.get(key);
        if (!pending) return;
        this.#pending.delete(key);
        this.pending = this.#pending.size;
        how(pending);
    }

    /** A player who has just taken a chair sees more: the socket is opened anew to get that view. */
    #acknowledge(pending: PendingCommand, ack: Ack): void {
        pending.resolve(ack);
        if (pending.command.type === "claim") this.#reconnect();
    }

    #onClose(socket: WebSocket, code: number): void {
        if (this.#closed || socket !== this.#socket) return;
        const status = code - CLOSED_BY_STATUS;
        if (status >= 400 && status < 1000 && !TRANSIENT.includes(status)) {
            this.connection = "refused";
            for (const key of [...this.#pending.keys()]) {
                this.#settle(key, (pending) => pending.reject(new Unreachable("refused")));
            }
            return;
        }
        this.connection = "lost";
        const backoff = BACKOFF[this.#failures++] ?? LONGEST_BACKOFF;
        const jitter = 0.75 + Math.random() / 2;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#connect(), backoff * jitter);
    }

    /** Reconnects when the heartbeat stops: a dead connection may never be reported as closed. */
    #watchHeartbeat(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            if (Date.now() - this.#lastFrameAt > HEARTBEAT_TIMEOUT) this.#reconnect();
            else this.#watchHeartbeat();
        }, HEARTBEAT_TIMEOUT / 3);
    }

    #reconnect(): void {
        const old = this.#socket;
        this.#socket = null;
        if (old) old.onclose = null;
        old?.close();
        clearTimeout(this.#timer);
        this.connection = "connecting";
        this.#connect();
    }

    /** The device reports that it is offline. Keeps trying: the server may run on this very device. */
    #onOffline = (): void => {
        const old = this.#socket;
        if (!old || this.connection !== "open") return;
        old.onclose = null;
        old.close();
        this.#onClose(old, 0);
    };

    #reconnectIfLost = (): void => {
        if (document.visibilityState !== "visible") return;
        if (this.connection === "lost") this.#reconnect();
        // The device may have slept, and its clock with it: the answer says what time it is.
        else if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send('{"type":"ping"}');
    };
}
