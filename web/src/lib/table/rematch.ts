/** What a lone player against bots can do after a game: the same table again, from another seat or against stronger bots. */
import type { GameInfo, TableRequest, TableView } from "$lib/api/types";
import { isGame } from "$lib/games";
import { openTable, rememberedName } from "$lib/tables";

/** The only person at a table, if it is the reader and all others are bots. */
export function lonePlayer(view: TableView, mine: number[]): number | null {
    const [me, ...more] = mine;
    const bots = view.players.filter(({ kind }) => kind === "bot");
    const alone = me !== undefined && more.length === 0 && bots.length + 1 === view.players.length;
    return alone && !view.settings.rated ? me : null;
}

/** The level above the strongest bot at the table; null when there is none. */
export function nextLevel(view: TableView, info: GameInfo | undefined): string | null {
    const levels = info?.bots ?? [];
    const at = Math.max(...view.players.map(({ level }) => levels.indexOf(level ?? "")));
    return at < 0 ? null : (levels[at + 1] ?? null);
}

/** Whether a player can ask for the other side: the series would else change it by itself. */
export function canSwap(view: TableView, info: GameInfo | undefined): boolean {
    const format = info?.series_formats.find(({ name }) => name === view.series.series);
    return (info?.sides.length ?? 0) > 1 && !format?.swaps_seats && !format?.handicap;
}

/** Opens the same table anew; returns its address. */
export async function anew(
    view: TableView,
    me: number,
    change: {
        swap?: boolean;
        level?: string;
        opponents?: number;
        rules?: Record<string, unknown>;
    },
): Promise<string> {
    if (!isGame(view.game)) throw new Error(`expected a known game, got ${view.game}`);
    const opponents = change.opponents ?? view.players.length - 1;
    const count = opponents + 1;
    const seat = Math.min(view.players[me]?.seat ?? me, opponents);
    const player = change.swap ? (seat + 1) % count : seat;
    const others = view.players.filter((one) => one.player !== me).slice(0, opponents);
    const levels = others.map(({ level }) => change.level ?? level ?? null);
    const chairs = [...levels.slice(0, player), null, ...levels.slice(player)];
    const { rules: before, clock, series, temperament } = view.settings;
    // Games for several players have their number among the rules.
    const rules = "players" in before ? { ...before, players: count } : before;
    const table = await openTable(
        {
            game: view.game,
            rules: { ...rules, ...change.rules } as NonNullable<TableRequest["rules"]>,
            chairs,
            series,
            ...(clock ? { clock } : {}),
            ...(temperament ? { temperament } : {}),
        },
        { player, name: rememberedName() },
    );
    return `/t/${table}`;
}
