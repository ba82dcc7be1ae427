/** The living board: a table that is followed while it is on the screen. */
import { answerOf, api, rest } from "$lib/api/client";
import { LiveTable } from "$lib/api/liveTable.svelte";
import type { LobbyTable, TableView } from "$lib/api/types";
import type { GameName } from "$lib/games";

/** How long a finished game stays before another one is looked for. */
const REST = 8_000;

/** Whether people can be watched at a table. */
const hasPeople = ({ watch, players }: LobbyTable) =>
    watch && players.some(({ kind }) => kind === "human" || kind === "program");

export class Exhibition {
    view = $state.raw<TableView | null>(null);
    #live: LiveTable | null = null;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #wanted = false;

    /** `game` is the game whose bots are shown when no public game with people is running. */
    constructor(readonly game: GameName) {}

    /** Finds a table, people's before bots', and shows where it stands. */
    async find(running: LobbyTable[]): Promise<void> {
        const peoples = running.find(hasPeople)?.table;
        const { table } = peoples
            ? { table: peoples }
            : await answerOf(
                  rest.GET("/api/exhibition", { params: { query: { game: this.game } } }),
              );
        this.view = (await api.look(table)).view;
        if (this.#wanted) this.follow();
    }

    /** Follows the table: bots play only while someone does. */
    follow(): void {
        this.#wanted = true;
        if (this.#live || !this.view) return;
        const live = new LiveTable(this.view.table, { onMessages: (_, view) => this.#show(view) });
        this.#live = live;
        live.open();
    }

    /** Stops following; what was seen last stays. */
    rest(): void {
        this.#wanted = false;
        clearTimeout(this.#timer);
        this.#leave();
    }

    /** Closes the connection; one that is just being made only when it stands, as browsers complain otherwise. */
    #leave(): void {
        const live = this.#live;
        this.#live = null;
        if (live?.connection === "connecting") live.options.onMessages = () => live.close();
        else live?.close();
    }

    #show(view: TableView): void {
        this.view = view;
        if (view.phase === "playing") return;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#next(), REST);
    }

    async #next(): Promise<void> {
        if (!this.#wanted) return;
        this.#leave();
        try {
            await this.find(await api.lobby("running"));
        } catch {
            // It stays at the end of the last game.
        }
    }
}
