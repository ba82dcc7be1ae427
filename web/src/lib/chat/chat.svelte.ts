/** The chat of a table: phrases by their codes, and free text once all players agree to it. */
import { answerOf, rest } from "$lib/api/client";
import type { ChatMessage, ChatState, ChatText } from "$lib/api/types";

export class Chat {
    messages = $state.raw<ChatMessage[]>([]);
    /** Whether free text is allowed, who has agreed to it, and whose agreement is needed. */
    open = $state(false);
    agreed = $state.raw<number[]>([]);
    asked = $state.raw<number[]>([]);
    /** The latest unread message. */
    latest = $state.raw<ChatMessage | null>(null);
    unread = $state(0);
    /** Numbers requests for the chat's state, so that a late answer doesn't undo a later one. */
    #requests = 0;
    #answered = 0;
    /** The number of the latest message that was announced. */
    #announced = 0;
    #loaded = false;

    constructor(readonly table: string) {}

    get #path() {
        return { table_id: this.table };
    }

    async load(): Promise<void> {
        const request = ++this.#requests;
        const params = { path: this.#path };
        const found = await answerOf(rest.GET("/api/tables/{table_id}/chat", { params }));
        // What the socket brought in the meantime is newer.
        const last = found.messages.at(-1)?.number ?? 0;
        const later = this.messages.filter((one) => one.number > last);
        const missed = found.messages.filter((one) => this.#loaded && !this.#knows(one));
        this.messages = [...found.messages, ...later];
        this.#loaded = true;
        for (const message of missed) this.#announce(message); // sent while the connection was lost
        this.#apply(found, request);
    }

    /** Takes a message from the socket. */
    receive(message: ChatMessage): void {
        const known = this.#knows(message);
        if (!known) this.messages = [...this.messages, message].sort((a, b) => a.number - b.number);
        // Even when `load` brought it a moment ago: it hasn't been announced.
        const announced = this.#announce(message);
        const votes = message.kind === "agree" || message.kind === "decline";
        if (votes && (announced || !known)) void this.#refreshState();
    }

    #knows(message: ChatMessage): boolean {
        return this.messages.some((one) => one.number === message.number);
    }

    /** Announces a message as unread; false when this or a later one already was. */
    #announce(message: ChatMessage): boolean {
        if (message.number <= this.#announced) return false;
        this.#announced = message.number;
        this.latest = message;
        this.unread += 1;
        return true;
    }

    markRead(): void {
        this.unread = 0;
        this.latest = null;
    }

    say(text: ChatText, player: number | null): Promise<ChatMessage> {
        const body = { ...text, player };
        const params = { path: this.#path };
        return answerOf(rest.POST("/api/tables/{table_id}/chat", { params, body }));
    }

    async agree(agree: boolean, player: number | null): Promise<void> {
        const body = { agree, player };
        const params = { path: this.#path };
        await answerOf(rest.POST("/api/tables/{table_id}/chat/agree", { params, body }));
        await this.#refreshState();
    }

    async #refreshState(): Promise<void> {
        const request = ++this.#requests;
        const after = this.messages.at(-1)?.number ?? 0;
        const params = { path: this.#path, query: { after } };
        const call = rest.GET("/api/tables/{table_id}/chat", { params });
        const found = await answerOf(call).catch(() => null);
        if (found) this.#apply(found, request);
    }

    #apply({ open, agreed, asked }: ChatState, request: number): void {
        if (request < this.#answered) return;
        this.#answered = request;
        this.open = open;
        this.agreed = agreed;
        this.asked = asked;
    }
}
