/** Zoff's part of a table's view, as the server writes it (docs/protocol.md). */
import type { PlayerView, Reason, TableView } from "$lib/api/types";
import { playerName } from "$lib/levels";

export type Phase = "settle" | "bid" | "pick" | "choose" | "place" | "bonus" | "over";

export type Pasture = {
    name: string;
    capacity: number;
    bonus: number[];
    free: number;
    herds: Record<string, number>;
};

export type Seat = {
    colours: string[];
    reserves: Record<string, number>;
    placed: number;
    cards: number;
    answered: boolean;
    bid: string | null;
};

export type PairJson = [pasture: string, card: string] | [string, string, string];

export type Answer =
    | { type: "choose"; pairs: PairJson[] }
    | { type: "bid"; bid: string }
    | { type: "settle"; colours: Record<string, string> };

export type Forecast = { order: string[]; by: "herd" | "card"; taken: Record<string, number> };

export type ChooseLegal = {
    type: "choose";
    pastures: string[];
    cards: string[];
    pairs: number;
    colours: string[];
    sealed: boolean;
    forecast: Record<string, Record<string, Forecast>>;
};
export type SettleLegal = {
    type: "settle";
    pastures: string[];
    colours: string[];
    sealed: boolean;
    refused: { names: string[]; reason: Reason }[];
};
export type BidLegal = {
    type: "bid";
    least: string;
    most: string;
    decimals: number;
    sealed: boolean;
};
export type PickLegal = { type: "pick"; colours: string[]; groups: Record<string, string[]> };
export type PlaceLegal = {
    type: "place";
    pasture: string;
    colour: string;
    card: string;
    cows: number[];
    ranks: (number | null)[];
    refused: { cows: number[]; reason: Reason }[];
};
export type BonusLegal = {
    type: "bonus";
    from: string;
    kind: "rank" | "fair";
    colour: string;
    cows: number;
    on: string[][];
    refused: { pastures: string[]; cows: number[]; reason: Reason }[];
};
export type Legal =
    ChooseLegal | SettleLegal | BidLegal | PickLegal | PlaceLegal | BonusLegal | { type: "none" };

export type Due = {
    seat: number;
    colour: string;
    source: string;
    kind: "rank" | "fair";
    rank: number;
    cows: number;
};

export type Result = {
    reason: string;
    final_bonus: { pasture: string; colour: string; cows: number }[];
    placed: number[];
    bids: (string | null)[] | null;
    scores: number[];
    winners: number[];
};

export type ZoffView = {
    game: "zoff";
    viewer: number | null;
    rules: {
        players: number;
        auction: boolean;
        fair: boolean;
        open_discards: boolean;
        edition: string;
    };
    phase: Phase;
    round: number;
    rounds: number;
    to_act: number[];
    pastures: Pasture[];
    seats: Seat[];
    free_colours: Record<string, number>;
    bid_round: number;
    hand: string[];
    answer: Answer | null;
    due: Due[];
    queue: string[];
    discards: string[][] | null;
    legal: Legal;
    result: Result | null;
};

export function zoffView(view: TableView): ZoffView | null {
    return view.view === null ? null : (view.view as unknown as ZoffView);
}

export function playerAt(view: TableView, seat: number): PlayerView | undefined {
    return view.players.find((player) => player.seat === seat);
}

export function nameOf(view: TableView, seat: number): string {
    const player = playerAt(view, seat);
    return player ? playerName(player, view.players) : "";
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
