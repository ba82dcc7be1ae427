/**
 * Short remarks of bots, at the beginning and at the end of a game: two a game at most, and they can be muted.
 *
 * They are chosen from what everyone at the table knows: the types below hold nothing of the game itself, so no hand and
 * no sealed choice can have a part in it.
 */
import type { GameInfo, TableView } from "$lib/api/types";
import { has, t } from "$lib/i18n/index.svelte";

/** The table's public part. */
export type PublicTable = Pick<TableView, "phase" | "number" | "results" | "players">;
export type Remark = { player: number; code: "hello" | "won" | "lost"; mood: string };

const STORED = "stampede.bots.quiet";
const USUAL_MOOD = "dry";

/** Which bot says what now; null when none says anything. Bots take turns from game to game. */
export function remarkOf(table: PublicTable, info: GameInfo | undefined): Remark | null {
    const bots = table.players.filter(({ kind, left }) => kind === "bot" && !left);
    const people = table.players.some(({ kind }) => kind === "human");
    const speaker = bots[table.number % Math.max(1, bots.length)];
    if (!speaker || !people || table.number < 1) return null;
    const found = info?.characters.find(({ level }) => level === speaker.level);
    const said = { player: speaker.player, mood: found?.mood ?? USUAL_MOOD };
    if (table.phase === "playing") return { ...said, code: "hello" };
    const result = table.results.at(-1);
    if (table.phase !== "over" || !result || result.aborted) return null;
    return { ...said, code: result.winners.includes(speaker.player) ? "won" : "lost" };
}

/** A remark as text; empty for a mood that this client doesn't know. */
export function remarkText({ mood, code }: Remark): string {
    const key = `bots.remark.${mood}.${code}`;
    return has(key) ? t(key) : "";
}

class Quiet {
    on = $state(localStorage.getItem(STORED) === "yes");

    toggle(): void {
        this.on = !this.on;
        if (this.on) localStorage.setItem(STORED, "yes");
        else localStorage.removeItem(STORED);
    }
}

/** Whether the reader wants no remarks. */
export const quiet = new Quiet();
