/** What is played at a table, in short: for lists, invitations, the lobby and the bar above a game. */
import type { Clock, GameInfo, LobbyTable, TableView } from "$lib/api/types";
import { CLOCKS } from "$lib/create/clocks";
import { gameClient } from "$lib/games";
import { has, t } from "$lib/i18n/index.svelte";

export type Described = {
    game: string;
    rules: Record<string, unknown>;
    series: string;
    clock: object;
    rated: boolean;
    /** Whether it begins with a game for a newcomer to learn by. */
    coached?: boolean;
    /** Where a list tells it: the title of an edition that doesn't ship. */
    edition_title?: string | null;
};

/** What a table at which one sits or looks on says of itself. */
export const describedBy = ({ game, settings }: TableView): Described => ({ ...settings, game });

/** Short facts: clock, rated, series, variants, handicap. */
export function factsOf(table: Described, info: GameInfo | undefined): string[] {
    const facts = [clockText(table.clock as Partial<Clock>)];
    if (table.rated) facts.push(t("seats.facts.rated"));
    if (table.coached) facts.push(t("seats.facts.coached"));
    if (table.series !== info?.series[0] && has(`create.seriesKind.${table.series}`))
        facts.push(t(`create.seriesKind.${table.series}`));
    let handicap = false;
    for (const { name, default: usual, handicap: eases } of info?.options ?? []) {
        const value = table.rules[name];
        if (value === undefined || JSON.stringify(value) === JSON.stringify(usual)) continue;
        if (eases) handicap = true;
        else if (value === true) facts.push(optionName(name));
    }
    if (handicap) facts.push(t("seats.facts.handicap"));
    return facts;
}

function optionName(name: string): string {
    for (const key of [`create.variant.${name}.name`, `create.houseRule.${name}.name`])
        if (has(key)) return t(key);
    return name.replaceAll("_", " ");
}

/** A clock as the form for new tables calls it. */
function clockText(clock: Partial<Clock>): string {
    if (!clock.kind || clock.kind === "none") return t("seats.facts.noClock");
    const alike = (key: keyof Clock) => (one: Clock) => (one[key] ?? 0) === (clock[key] ?? 0);
    const found = Object.entries(CLOCKS).filter(([, one]) =>
        (["kind", "limit_ms", "increment_ms"] as (keyof Clock)[]).every((key) => alike(key)(one)),
    );
    const [key] = found.find(([, one]) => alike("expiry")(one)) ?? found[0] ?? [];
    return key ? t(`create.clocks.${key}`) : t("seats.facts.clock");
}

/** The side that a player has, in games whose seats differ; else empty. */
export function sideOf(table: LobbyTable, player: number, info: GameInfo | undefined): string {
    const side = info?.sides[table.seats?.[player] ?? -1];
    return side === undefined ? "" : gameClient(table.game).side(side).name;
}
