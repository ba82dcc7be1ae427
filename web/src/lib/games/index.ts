/** The registry of games. A new game is a folder beside this file, a line here, and its texts. */
import { buffalo } from "./buffalo";
import type { GameClient } from "./gameClient";
import { zoff } from "./zoff";

/** By the server's name, in the order in which they are offered. */
const GAMES = { zoff, buffalo } satisfies Record<string, GameClient>;

export type GameName = keyof typeof GAMES;

export const GAME_NAMES = Object.keys(GAMES) as GameName[];

export const isGame = (name: string | null): name is GameName =>
    name !== null && Object.hasOwn(GAMES, name);

/** The game whose rules have a clause with this id. */
export const gameOfClause = (id: string): GameName | null =>
    GAME_NAMES.find((name) => GAMES[name].clauseLetter === id[0]) ?? null;

/** The client of a game that the server names; an error for one that this client doesn't know. */
export function gameClient(name: string): GameClient {
    if (!isGame(name)) throw new Error(`expected ${GAME_NAMES.join(" or ")}, got ${name}`);
    return GAMES[name];
}
