/** Bots by level, as the server names them. */
import type { GameInfo } from "./api/types";
import { has, t } from "./i18n/index.svelte";

/** Short names, the same in every language, that tell several bots at a table apart. */
const BOT_NAMES = ["Buck", "Etta", "Wade", "Ruby", "Cole", "Dixie"];

/** The level for a first game: the second weakest there is. */
export function beginnerLevel(game: GameInfo | undefined): string {
    const levels = (game?.bots ?? []).filter((level) => level !== "random");
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

/** A player's name: a bot's is its level or, when there are several bots, a name of its own. */
export function playerName(player: Named, players: readonly Named[]): string {
    if (player.kind !== "bot") return player.name;
    const bots = players.filter((one) => one.kind === "bot");
    const own = BOT_NAMES[bots.indexOf(player) % BOT_NAMES.length] ?? "";
    return bots.length > 1 ? own : levelName(player.level ?? "");
}

/** How strong a bot is, where its name doesn't say so. */
export function strength(player: Named, players: readonly Named[]): string {
    const several = players.filter((one) => one.kind === "bot").length > 1;
    return player.kind === "bot" && several ? levelName(player.level ?? "") : "";
}
