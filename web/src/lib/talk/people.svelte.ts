/** Who sits at a table, beyond the name: whether it is kept, how strong, and whether one has blocked him. */
import { getContext, setContext } from "svelte";
import { newKey, request } from "$lib/api/client";
import type { components } from "$lib/api/schema";

type Schemas = components["schemas"];
const KEY = Symbol("people at the table");

export class People {
    list = $state.raw<Schemas["PersonAnswer"][]>([]);

    constructor(readonly table: string) {}

    async refresh(): Promise<void> {
        const path = `/api/tables/${this.table}/people`;
        const found = await request<Schemas["PeopleAnswer"]>("GET", path).catch(() => null);
        if (found) this.list = found.people;
    }

    /** A player's rating in this game as it is shown beside a name; empty when there is none. */
    rating(player: number): string {
        const found = this.list.find((one) => one.player === player)?.rating;
        return found ? `${found.rating}${found.provisional ? "?" : ""}` : "";
    }

    blocked(player: number): boolean {
        return this.list.some((one) => one.player === player && one.blocked);
    }

    block(player: number): Promise<unknown> {
        return request("POST", "/api/blocks", { table: this.table, player });
    }

    remove(player: number): Promise<unknown> {
        return request("POST", `/api/tables/${this.table}/remove`, { key: newKey(), player });
    }

    report(player: number, reason: string): Promise<unknown> {
        const body = { player, reason, note: "" };
        return request("POST", `/api/tables/${this.table}/reports`, body);
    }
}

export const providePeople = (people: People): People => setContext(KEY, people);
export const usePeople = (): People | undefined => getContext<People | undefined>(KEY);
