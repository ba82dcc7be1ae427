/** Zoff's part of a table's view: short names for the generated types, and lookups. */
import type { Schemas, TableView } from "$lib/api/types";
import { playerName } from "$lib/levels";

export type ZoffView = Schemas["ZoffView"];
export type Pasture = Schemas["PastureView"];
export type Pair = Schemas["Choose"]["pairs"][number];
export type SealedAnswer = NonNullable<ZoffView["answer"]>;
export type DueBonus = Schemas["BonusView"];
export type ZoffAction = Schemas["ZoffAction"];
export type Reason = Schemas["ZoffReason"];

export type Legal = ZoffView["legal"];
export type BidLegal = Schemas["BidLegal"];
export type BonusLegal = Schemas["BonusLegal"];
export type ChooseLegal = Schemas["ChooseLegal"];
export type PickLegal = Schemas["PickLegal"];
export type PlaceLegal = Schemas["PlaceLegal"];
export type SettleLegal = Schemas["SettleLegal"];

type SeatedPlayer = { seat: number; name: string; kind: string; level?: string | null };

/** What descriptions need of a table: its players, which colours they play, and which seat is the reader's. */
export type Cast = Pick<TableView, "view"> & {
    players: readonly SeatedPlayer[];
    /** The seat that is told of in the second person; none in replays and where several seats share a device. */
    self?: number | null;
};

export function zoffView({ view }: Pick<TableView, "view">): ZoffView | null {
    return view?.game === "zoff" ? view : null;
}

export function nameOf({ players }: Pick<Cast, "players">, seat: number): string {
    const player = players.find((one) => one.seat === seat);
    return player ? playerName(player, players) : "";
}

/** Cow cards are written as value and letter: `4M`. */
export const cardValue = (card: string): number => Number(card[0]);
export const cardLetter = (card: string): string => card.slice(1);

/** Who owns a colour; null before an auction is over. */
export function ownerOf(view: ZoffView, colour: string): number | null {
    const seat = view.seats.findIndex((one) => one.colours.includes(colour));
    return seat < 0 ? null : seat;
}

/** A name without its hyphens, for people. */
export const pastureName = (name: string): string => name.replaceAll("-", " ");
