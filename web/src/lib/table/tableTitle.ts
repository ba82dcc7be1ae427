/** The title of a table's page: whose turn it is, and at which game. */
import type { TableView } from "$lib/api/types";
import { list, t } from "$lib/i18n/index.svelte";
import { playerName } from "$lib/levels";
import { ownPlayer } from "./self";

export function tableTitle(view: TableView, mine: readonly number[]): string {
    const game = t(`home.${view.game}.title`);
    const state = stateOf(view, mine);
    return state ? `${state} · ${game}` : game;
}

function stateOf(view: TableView, mine: readonly number[]): string {
    if (view.phase === "over") return t("table.titles.over");
    if (view.phase === "paused") return t("table.titles.paused");
    if (view.phase !== "playing") return "";
    const awaited = view.decision?.awaited ?? [];
    if (awaited.some((player) => player === ownPlayer(mine))) return `● ${t("table.yourTurn")}`;
    const names = view.players
        .filter(({ player }) => awaited.includes(player))
        .map((player) => playerName(player, view.players));
    return names.length > 0 ? t("table.titles.waiting", { who: list(names) }) : "";
}
