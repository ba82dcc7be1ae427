/** Proposals: what players of this device agree to, and what everyone is told when one ends. */
import type { Command, Message, TableView } from "$lib/api/types";
import { t } from "$lib/i18n/index.svelte";
import { ownPlayer, person } from "./self";

export type Topic = TableView["proposals"][number]["on"];
type Vote = Extract<Command, { type: "vote" }>;

/**
 * The votes that propose something, or agree to it, for every player of this device: people who share one agree among
 * themselves. The first is the proposer.
 */
export function votesFor(
    view: Pick<TableView, "decision">,
    players: readonly number[],
    on: Topic,
    agree = true,
): Vote[] {
    const decision = view.decision?.id ?? "";
    return players.map((player) => ({ type: "vote", player, on, agree, decision, choice: [] }));
}

/** The proposals that are worth showing: not those on which only this device still has to vote for itself. */
export function shownProposals(
    view: Pick<TableView, "proposals">,
    mine: readonly number[],
): TableView["proposals"] {
    return view.proposals.filter(
        ({ agreed, asked }) =>
            !mine.includes(agreed[0] ?? -1) || asked.some((player) => !mine.includes(player)),
    );
}

/** What an entry says to everyone about a proposal that ended without agreement, or a player who left; else empty. */
export function newsOf(
    message: Message,
    names: readonly string[],
    mine: readonly number[],
): string {
    if (message.player === null) return "";
    const who = person(message.player === ownPlayer(mine), names[message.player] ?? "");
    if (message.kind === "leave" && who.name) return t("seats.proposal.left", who);
    if (message.kind !== "vote" || message.data["agree"] !== false) return "";
    return message.data["withdrawn"] === true
        ? t("seats.proposal.withdrawn", who)
        : t(`seats.proposal.declined.${String(message.data["on"])}`, who);
}
