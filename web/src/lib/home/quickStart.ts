/** Quick starts: what is offered for a game, what was chosen last on this device, and one request that begins. */
import type { GameInfo } from "$lib/api/types";
import { gameClient, type GameName } from "$lib/games";
import { isFirstGame } from "$lib/learn/coaching.svelte";
import { loadTexts } from "$lib/i18n/index.svelte";
import { beginnerLevel } from "$lib/levels";
import { openTable, rememberedName } from "$lib/tables";

/** Faces from gentle to fierce; a game shows as many as it has levels for. */
export const FACES = ["calf", "cowhand", "sheriff", "legend"] as const;
export type FaceName = (typeof FACES)[number];
export type FaceChoice = { face: FaceName; level: string };

/** A side by its name, or either. */
export const EITHER = "either";
export type Choice = { players: number; side: string; level: string };

/** The levels that are offered as faces: the weakest, the strongest, and some between them. */
export function facesOf(info: GameInfo | undefined): FaceChoice[] {
    const levels = (info?.bots ?? []).filter((level) => level !== "random");
    const count = Math.min(FACES.length, levels.length);
    return FACES.slice(0, count).flatMap((face, index) => {
        const at = count > 1 ? Math.floor((index * (levels.length - 1)) / (count - 1)) : 0;
        const level = levels[at];
        return level === undefined ? [] : [{ face, level }];
    });
}

/** The face for a first game: the strongest that isn't stronger than a beginner's level. */
function beginnersFace(info: GameInfo | undefined): string {
    const levels = info?.bots ?? [];
    const most = levels.indexOf(beginnerLevel(info));
    const fitting = facesOf(info).filter(({ level }) => levels.indexOf(level) <= most);
    return fitting.at(-1)?.level ?? beginnerLevel(info);
}

const key = (game: GameName) => `stampede.quick.${game}`;

/** What was chosen last, as far as it is still on offer. */
export function remembered(game: GameName, info: GameInfo | undefined): Choice {
    let kept: Partial<Choice> = {};
    try {
        kept = (JSON.parse(localStorage.getItem(key(game)) ?? "{}") ?? {}) as Partial<Choice>;
    } catch {
        // Not what this version wrote: begin anew.
    }
    const { players = 0, side = "", level = "" } = kept;
    const sides = info?.sides ?? [];
    return {
        players: info?.players.includes(players) ? players : gameClient(game).usualPlayers,
        side: sides.includes(side) || side === EITHER ? side : (sides[0] ?? EITHER),
        level: facesOf(info).some((one) => one.level === level) ? level : beginnersFace(info),
    };
}

export function remember(game: GameName, choice: Choice): void {
    localStorage.setItem(key(game), JSON.stringify(choice));
}

/** Opens a table against bots and sits down; returns its address. `draw` is a number from 0 to below 1. */
export async function quickStart(
    game: GameName,
    info: GameInfo | undefined,
    { players, side, level }: Choice,
    draw: number,
): Promise<string> {
    const sides = info?.sides ?? [];
    const named = sides.indexOf(side);
    const seat = named >= 0 ? named : sides.length > 0 ? Math.floor(draw * sides.length) : 0;
    const chairs = Array.from({ length: players }, (_, player) => (player === seat ? null : level));
    const coached = isFirstGame(game);
    return `/t/${await openTable({ game, chairs, coached }, { player: seat, name: rememberedName() })}`;
}

/** Fetches what a table's page needs, so that a tap on the start finds it there. */
export async function prefetchTable(game: GameName): Promise<void> {
    await Promise.all([
        import("../../pages/Table.svelte"),
        gameClient(game).loadTable(),
        loadTexts(),
    ]);
}
