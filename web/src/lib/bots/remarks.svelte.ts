/**
 * Short remarks of bots: a greeting, two at most during a game, and a word on the result. The reader can mute them.
 *
 * They are chosen from what everyone at the table knows: the table's public part, and occasions that a game finds in what
 * has been shown to all. No hand and no sealed choice has a part in it.
 */
import { getContext, setContext } from "svelte";
import type { GameInfo, TableView } from "$lib/api/types";
import { has, t } from "$lib/i18n/index.svelte";
import { coaching } from "$lib/learn/coaching.svelte";
import { playerName } from "$lib/levels";

/** The table's public part. */
export type PublicTable = Pick<TableView, "table" | "phase" | "number" | "results" | "players">;

export const CODES = [
    "hello",
    "took",
    "taken",
    "block",
    "lead",
    "behind",
    "waste",
    "bonus",
    "crowd",
    "won",
    "lost",
] as const;
export type Code = (typeof CODES)[number];

/** Something that a bot may comment on. A greeting needs no seat: bots take turns from game to game. */
export type Occasion = { code: Exclude<Code, "hello" | "won" | "lost">; seat: number };
export type BotRemark = { player: number; code: Code; mood: string };
export type Spoken = { player: number; seat: number; name: string; text: string };

/** How many remarks a game has between the greeting and the result. */
export const DURING = 2;
const SHOWN_MS = 7000;
const USUAL_MOOD = "dry";
const QUIET = "stampede.bots.quiet";
const SAID = "stampede.bots.said";
const KEY = Symbol("remarks at the table");

type Bot = PublicTable["players"][number];

/** The result's code and who says it: the first bot that won, else the one whose turn it is. */
function atTheEnd(
    { phase, results }: PublicTable,
    bots: Bot[],
    usual: Bot,
): [Bot, "won" | "lost"] | null {
    const result = results.at(-1);
    if (phase !== "over" || !result || result.aborted) return null;
    const winner = bots.find(({ player }) => result.winners.includes(player));
    return winner ? [winner, "won"] : [usual, "lost"];
}

/**
 * Which bot says what now; null when none says anything.
 *
 * @param begins Whether nothing has happened in this game yet.
 * @param said What has been said in this game: nothing is said twice.
 */
export function remarkOf(
    table: PublicTable,
    occasions: readonly Occasion[],
    begins: boolean,
    said: readonly Code[],
    info: GameInfo | undefined,
): BotRemark | null {
    const bots = table.players.filter(({ kind, left }) => kind === "bot" && !left);
    const usual = bots[table.number % Math.max(1, bots.length)];
    const people = table.players.some(({ kind }) => kind === "human");
    if (!usual || !people || table.number < 1) return null;
    const candidates: [Bot | undefined, Code][] = [];
    if (table.phase === "playing") {
        const during = said.filter((code) => code !== "hello").length;
        for (const { code, seat } of during < DURING ? occasions : [])
            candidates.push([bots.find((bot) => bot.seat === seat), code]);
        if (begins) candidates.push([usual, "hello"]);
    }
    const end = atTheEnd(table, bots, usual);
    if (end) candidates.push(end);
    for (const [bot, code] of candidates) {
        if (!bot || said.includes(code)) continue;
        const found = info?.characters.find(({ level }) => level === bot.level);
        return { player: bot.player, code, mood: found?.mood ?? USUAL_MOOD };
    }
    return null;
}

/** A remark as text; empty for a mood that this client doesn't know. */
export function remarkText({ mood, code }: BotRemark): string {
    const key = `bots.remark.${mood}.${code}`;
    return has(key) ? t(key) : "";
}

class Quiet {
    on = $state(localStorage.getItem(QUIET) === "yes");

    toggle(): void {
        this.on = !this.on;
        if (this.on) localStorage.setItem(QUIET, "yes");
        else localStorage.removeItem(QUIET);
    }
}

/** Whether the reader wants no remarks. */
export const quiet = new Quiet();

/** What the bots of a table say. A page that is loaded again goes on where it was. */
export class Remarks {
    #spoken = $state.raw<Spoken | null>(null);
    #timer: ReturnType<typeof setTimeout> | undefined;

    /** @param describe The game as the server describes it, with its bots' moods. */
    constructor(readonly describe: () => GameInfo | undefined) {}

    /** What is being said; null most of the time. */
    get now(): Spoken | null {
        return quiet.on ? null : this.#spoken;
    }

    /** Tells the bots what has just been shown to everyone; `begins` when nothing has happened in this game yet. */
    hear(table: PublicTable, occasions: readonly Occasion[], begins = false): void {
        if (quiet.on || coaching.table === table.table) return; // one voice at a time
        const game = `${table.table}/${table.number}`;
        const [known, ...codes] = (localStorage.getItem(SAID) ?? "").split(" ");
        const said = known === game ? (codes as Code[]) : [];
        const remark = remarkOf(table, occasions, begins, said, this.describe());
        const text = remark ? remarkText(remark) : "";
        const speaker = table.players.find(({ player }) => player === remark?.player);
        if (!remark || !speaker || !text) return;
        localStorage.setItem(SAID, [game, ...said, remark.code].join(" "));
        const { player, seat } = speaker;
        this.#spoken = { player, seat, name: playerName(speaker, table.players), text };
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => (this.#spoken = null), SHOWN_MS);
    }

    stop(): void {
        clearTimeout(this.#timer);
        this.#spoken = null;
    }
}

export const provideRemarks = (remarks: Remarks): Remarks => setContext(KEY, remarks);
export const useRemarks = (): Remarks | undefined => getContext<Remarks | undefined>(KEY);
