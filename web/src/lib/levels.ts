/** Bots by level, as the server names them. */
import type { GameInfo } from "./api/types";
import { has, t } from "./i18n/index.svelte";

/** Names, the same in every language, of further bots of a level at one table (`stampede.bots.characters`). */
const COMPANIONS = ["Buck", "Cole", "June", "Otis", "Willa", "Nell"];

/** A game's levels, weakest first: all bots but the one that moves at random. */
export function levelsOf(game: GameInfo | undefined): string[] {
    return (game?.bots ?? []).filter((level) => level !== "random");
}

/** The level for a first game: the weakest that is a level. */
export function beginnerLevel(game: GameInfo | undefined): string {
    return levelsOf(game)[0] ?? "random";
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

type Named = {
    name: string;
    kind: string;
    level?: string | null;
    temperament?: string | null;
};

/** The name of a level's own character. */
export function characterName(level: string): string {
    const key = `bots.name.${level}`;
    return has(key) ? t(key) : levelName(level);
}

/** What a level's character is like, in a sentence; empty for levels that have none. */
export function characterLine(level: string): string {
    const key = `bots.about.${level}`;
    return has(key) ? t(key) : "";
}

/** A player's name: the first bot of a level has the level's own, further ones have names of their companions. */
export function playerName(player: Named, players: readonly Named[]): string {
    if (player.kind !== "bot") return player.name;
    const bots = players.filter((one) => one.kind === "bot");
    const further = bots.filter((one, place) =>
        bots.slice(0, place).some(({ level }) => level === one.level),
    );
    const place = further.indexOf(player);
    if (place < 0) return characterName(player.level ?? "");
    return COMPANIONS[place % COMPANIONS.length] ?? "";
}

/** The temperaments that bots of these levels can have, each once; empty where there is nothing to choose. */
export function offeredTemperaments(
    levels: readonly (string | null)[],
    game: GameInfo | undefined,
): string[] {
    return [...new Set(levels.flatMap((level) => game?.temperaments[level ?? ""] ?? []))];
}

/** A temperament in a word; empty for players without one. */
export function temperamentName(temperament: string | null | undefined): string {
    const key = `bots.temperament.${temperament ?? ""}.name`;
    return temperament && has(key) ? t(key) : (temperament ?? "");
}

/** What a temperament wants, in a sentence. */
export function temperamentText(temperament: string | null | undefined): string {
    const key = `bots.temperament.${temperament ?? ""}.text`;
    return temperament && has(key) ? t(key) : "";
}

/** How strong a bot is, and its temperament if it has one; empty for people. */
export function strength(player: Named): string {
    if (player.kind !== "bot") return "";
    const words = [levelName(player.level ?? ""), temperamentName(player.temperament)];
    return words.filter(Boolean).join(", ");
}
