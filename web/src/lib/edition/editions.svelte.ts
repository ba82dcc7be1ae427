/** The editions that the server offers, and the owner's own box, which this device keeps. */
import { answerOf, rest } from "$lib/api/client";
import type { EditionCheck, EditionData, EditionInfo } from "$lib/api/types";

const STORED = "stampede.box";
/** The choice of one's own box among the server's editions. No id has this form. */
export const OWN = "own box";

function stored(): EditionData | null {
    try {
        const text = localStorage.getItem(STORED);
        return text ? (JSON.parse(text) as EditionData) : null;
    } catch {
        return null;
    }
}

class Editions {
    /** The server's, the shipped one first; empty until it has answered. */
    offered = $state.raw<EditionInfo[]>([]);
    /** What the owner has corrected; null without a box. */
    own = $state.raw<EditionData | null>(stored());

    #asked: Promise<void> | null = null;

    get shipped(): EditionInfo | undefined {
        return this.offered.find((edition) => edition.shipped);
    }

    /** Fetches them once, however many ask. */
    ready(): Promise<void> {
        this.#asked ??= this.#fetch().catch((error: unknown) => {
            this.#asked = null;
            throw error;
        });
        return this.#asked;
    }

    async #fetch(): Promise<void> {
        const { editions } = await answerOf(rest.GET("/api/editions"));
        this.offered = editions as unknown as EditionInfo[];
    }

    async check(body: { data: EditionData } | { toml: string }): Promise<EditionCheck> {
        // The schema of a request says that its data is any JSON: the server checks it.
        const request = { body: body as { toml: string } };
        return (await answerOf(
            rest.POST("/api/editions/check", request),
        )) as unknown as EditionCheck;
    }

    keep(data: EditionData | null): void {
        this.own = data;
        if (data === null) localStorage.removeItem(STORED);
        else localStorage.setItem(STORED, JSON.stringify(data));
    }

    /** The rules that play the chosen edition. */
    rules(choice: string): Record<string, unknown> {
        if (choice === "") return {};
        if (choice !== OWN || this.own === null) return { edition: choice };
        return { edition: this.own.edition.id, edition_data: this.own };
    }

    /** Whether the chosen edition is another one than the shipped one; then games aren't rated. */
    isOther(choice: string): boolean {
        return choice !== "" && choice !== this.shipped?.id;
    }

    /** The most players that it has data for. */
    mostPlayers(choice: string): number {
        if (choice === OWN && this.own) return this.own.pasture.length > 11 ? 6 : 5;
        return Math.max(...(this.offered.find(({ id }) => id === choice)?.players ?? [6]));
    }
}

export const editions = new Editions();
