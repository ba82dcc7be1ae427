/** Talk at a table: phrases by their codes, free text once everybody agrees. */
import { request } from "$lib/api/client";
import type { components } from "$lib/api/schema";

type Schemas = components["schemas"];
export type Said = Schemas["SaidAnswer"];
export type Person = Schemas["PersonAnswer"];
type Chat = Schemas["ChatAnswer"];

export class Talk {
    messages = $state.raw<Said[]>([]);
    /** Whether free text is open, who has agreed to it, and whose agreement is needed. */
    open = $state(false);
    agreed = $state.raw<number[]>([]);
    asked = $state.raw<number[]>([]);
    /** The last word that somebody else said while nobody looked. */
    news = $state.raw<Said | null>(null);
    unread = $state(0);
    /** How often the server was asked how things stand, and which of the questions was answered last. */
    #questions = 0;
    #answered = 0;
    /** The number of the last word that was news. */
    #newest = 0;
    #loaded = false;

    constructor(readonly table: string) {}

    async load(): Promise<void> {
        const question = ++this.#questions;
        const found = await request<Chat>("GET", `/api/tables/${this.table}/chat`);
        // What the socket brought while this was on its way is newer.
        const last = found.messages.at(-1)?.number ?? 0;
        const later = this.messages.filter((one) => one.number > last);
        const missed = found.messages.filter((one) => this.#loaded && !this.#knows(one));
        this.messages = [...found.messages, ...later];
        this.#loaded = true;
        for (const said of missed) this.#tell(said); // said while the line was away
        this.#standing(found, question);
    }

    /** Takes what the socket brings. */
    take(said: Said): void {
        const known = this.#knows(said);
        if (!known) this.messages = [...this.messages, said].sort((a, b) => a.number - b.number);
        // Even when it was loaded a moment before: nobody has been told of it.
        const news = this.#tell(said);
        const asks = said.kind === "agree" || said.kind === "decline";
        if (asks && (news || !known)) void this.#ask();
    }

    #knows(said: Said): boolean {
        return this.messages.some((one) => one.number === said.number);
    }

    /** Makes a word news; false when it, or a later one, has been. */
    #tell(said: Said): boolean {
        if (said.number <= this.#newest) return false;
        this.#newest = said.number;
        this.news = said;
        this.unread += 1;
        return true;
    }

    read(): void {
        this.unread = 0;
        this.news = null;
    }

    say(words: { phrase: string } | { text: string }, player: number | null): Promise<Said> {
        return request<Said>("POST", `/api/tables/${this.table}/chat`, { ...words, player });
    }

    async agree(agree: boolean, player: number | null): Promise<void> {
        await request("POST", `/api/tables/${this.table}/chat/agree`, { agree, player });
        await this.#ask();
    }

    async #ask(): Promise<void> {
        const question = ++this.#questions;
        const last = this.messages.at(-1)?.number ?? 0;
        const path = `/api/tables/${this.table}/chat?after=${last}`;
        const found = await request<Chat>("GET", path).catch(() => null);
        if (found) this.#standing(found, question);
    }

    /** An answer that comes behind the one to a later question is out of date. */
    #standing({ open, agreed, asked }: Chat, question: number): void {
        if (question < this.#answered) return;
        this.#answered = question;
        this.open = open;
        this.agreed = agreed;
        this.asked = asked;
    }
}
