/** The games that the server offers, as `/api/games` describes them; shared by the pages. */
import { api } from "$lib/api/client";
import type { GameInfo } from "$lib/api/types";

class Catalogue {
    games = $state.raw<GameInfo[]>([]);

    /** What the server says of a game; undefined until it has answered. */
    find(name: string): GameInfo | undefined {
        return this.games.find((game) => game.name === name);
    }

    async refresh(): Promise<void> {
        this.games = await api.games();
    }

    /** Fetches the games unless they are known. */
    async ready(): Promise<void> {
        if (this.games.length === 0) await this.refresh();
    }
}

export const catalogue = new Catalogue();
