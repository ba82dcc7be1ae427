/** Bots by level, as the server names them. */
import type { Games } from "./api/types";
import { has, t } from "./i18n/index.svelte";

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
