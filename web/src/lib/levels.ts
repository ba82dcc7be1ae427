/** Bots by level, as the server names them. */
import type { Games } from "./api/types";
import { has, t } from "./i18n/index.svelte";

/** Short names, the same in every language: several bots at a table are told apart by them. */
const CALLED = ["Buck", "Etta", "Wade", "Ruby", "Cole", "Dixie"];

export function levelsOf(games: Games, game: string): string[] {
    return games.find((known) => known.name === game)?.bots ?? [];
}

/** A level for somebody who has never played: the second of those there are. */
export function gentle(games: Games, game: string): string {
    const levels = levelsOf(games, game).filter((level) => level !== "random");
    return levels[1] ?? levels[0] ?? "random";
}

export function levelName(level: string): string {
    const key = `common.level.${level}`;
    return has(key) ? t(key) : level;
}

/** A level to choose: its name, and its number among those of its game. */
export function levelChoice(level: string): string {
    const digits = /-(\d+)$/.exec(level)?.[1];
    const name = levelName(level);
    return digits ? t("common.numbered", { number: digits, name }) : name;
}

type Named = { name: string; kind: string; level?: string | null };

/** What a player is called: a bot by its level, or, when there are several, by a name of its own. */
export function playerName(player: Named, players: readonly Named[]): string {
    if (player.kind !== "bot") return player.name;
    const bots = players.filter((one) => one.kind === "bot");
    const own = CALLED[bots.indexOf(player) % CALLED.length] ?? "";
    return bots.length > 1 ? own : levelName(player.level ?? "");
}

/** How strong a bot is, where its name doesn't say so. */
export function strength(player: Named, players: readonly Named[]): string {
    const several = players.filter((one) => one.kind === "bot").length > 1;
    return player.kind === "bot" && several ? levelName(player.level ?? "") : "";
}
