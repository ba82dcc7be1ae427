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

/** A level to choose: its name, and its number among those of its game. */
export function levelChoice(level: string): string {
    const digits = /-(\d+)$/.exec(level)?.[1];
    const name = levelName(level);
    return digits ? t("common.numbered", { number: digits, name }) : name;
}

type Named = { name: string; kind: string; level?: string | null };

/** What a player is called. Bots of one level are told apart by numbers. */
export function playerName(player: Named, players: readonly Named[]): string {
    if (player.kind !== "bot") return player.name;
    const name = levelName(player.level ?? "");
    const alike = players.filter((one) => one.kind === "bot" && one.level === player.level);
    return alike.length > 1 ? `${name} ${alike.indexOf(player) + 1}` : name;
}
