/** What is known of the people at a table beyond their names: ratings, and whom this player has blocked. */
import { getContext, setContext } from "svelte";
import { answerOf, newIdempotencyKey, rest } from "$lib/api/client";
import type { Person, ReportReason } from "$lib/api/types";

const KEY = Symbol("people at the table");

export class People {
    list = $state.raw<Person[]>([]);

    constructor(readonly table: string) {}

    get #path() {
        return { path: { table_id: this.table } };
    }

    async refresh(): Promise<void> {
        const call = rest.GET("/api/tables/{table_id}/people", { params: this.#path });
        const found = await answerOf(call).catch(() => null);
        if (found) this.list = found.people;
    }

    /** A player's rating in this game as shown beside the name; empty when there is none. */
    rating(player: number): string {
        const found = this.list.find((one) => one.player === player)?.rating;
        return found ? `${found.rating}${found.provisional ? "?" : ""}` : "";
    }

    blocked(player: number): boolean {
        return this.list.some((one) => one.player === player && one.blocked);
    }

    block(player: number): Promise<unknown> {
        return answerOf(rest.POST("/api/blocks", { body: { table: this.table, player } }));
    }

    remove(player: number): Promise<unknown> {
        const body = { key: newIdempotencyKey(), player };
        return answerOf(rest.POST("/api/tables/{table_id}/remove", { params: this.#path, body }));
    }

    report(player: number, reason: ReportReason): Promise<unknown> {
        const body = { player, reason, note: "" };
        return answerOf(rest.POST("/api/tables/{table_id}/reports", { params: this.#path, body }));
    }
}

export const providePeople = (people: People): People => setContext(KEY, people);
export const usePeople = (): People | undefined => getContext<People | undefined>(KEY);
