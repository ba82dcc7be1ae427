/**
 * What the pages need of a game, so that no page knows one by its name.
 *
 * This is presentation only: what a game allows is in the server's description of it (`catalogue.svelte.ts`).
 */
import type { Component } from "svelte";
import type {
    Command,
    GameAction,
    Leaderboard,
    PlayerView,
    Message,
    Replay,
    ReviewedDecision,
    ReviewReason,
    TableView,
} from "$lib/api/types";
import type { CoachData } from "$lib/learn/moments";
import type { StageProps } from "$lib/learn/stage";
import type { Source } from "$lib/replay/load";
import type { Playback } from "$lib/replay/playback.svelte";
import type { ExerciseProps } from "$lib/review/exercise";
import type { Scene } from "$lib/rules/book";

/** A batch of messages with the view that follows; the table component animates it. */
export type TableUpdate = { messages: Message[]; view: TableView };

export type TableProps = {
    view: TableView;
    update: TableUpdate | null;
    /** The chairs that this device may play. */
    mine: number[];
    /** Answers the decision that is shown; false when the server refuses. */
    act: (player: number, action: GameAction) => Promise<boolean>;
    send: (command: Command) => Promise<boolean>;
    /** Whether what is asked must not be shown: on a shared device, before the player in question has it. */
    curtained?: boolean;
    /** Called with a view's number when all that led to it has been shown. */
    ontold?: (seq: number) => void;
};

/** What a small picture of a table is drawn from: any viewer's view of it. */
export type MiniProps = { view: Pick<TableView, "view"> };

/** What tells a player from the others in a game: a side or a colour, in words, and as colours where it has one. */
export type Role = { text: string; fill?: string; ink?: string };

export type ReplayProps = {
    replay: Replay;
    /** Null where the engine can't be asked: in another site's frame. */
    source: Source | null;
    playback: Playback;
    /** Only the board and its controls: the page has more to say beside it. */
    bare?: boolean;
    /** The decision that a review speaks of: shown on the board as it was before it. */
    decision?: ReviewedDecision | null;
    /** The decision before: on the board behind it, its answer is shown. */
    previous?: ReviewedDecision | null;
};

export type AnalysisProps = {
    /** A position to begin with, where one can be set up. */
    fen: string | null;
    /** The game that is looked at, and where it came from; null for a position that was set up. */
    replay: Replay | null;
    source: Source | null;
    /** So many actions are played where it begins. */
    turn: number;
};

/** What the review of a game needs to put decisions into words and to find them in the replay. */
export type ReviewTexts = {
    action: (action: GameAction) => string;
    reason: (reason: ReviewReason) => string;
    /** The name of a place that a choice names. */
    place: (name: string) => string;
    /** What a seat is known by: its herd or its side, small, beside a name. */
    Mark: Component<{ replay: Replay; seat: number }>;
    /** What a place is known by, small, beside its name; null where names are enough. */
    PlaceMark: Component<{ name: string }> | null;
    /** What a decision cost as a picture, beside the number; null where there is none. */
    Cost: Component<{ replay: Replay; seat: number; loss: number }> | null;
    /** The colour of a seat's curve. */
    fill: (replay: Replay, seat: number) => string;
    /** How many steps of the replay are shown before an action. */
    positionBefore: (replay: Replay, turn: number) => number;
    /** How many actions lead to so many steps of the replay: the last step's own is among them. */
    turnAt: (replay: Replay, at: number) => number;
    /** Whether the board leaves room on a phone for what is said of a decision; then both are in sight together. */
    compact: boolean;
    /** Where a certificate that proves a win is told about; null where a game has none. */
    proofAddress: ((source: string) => string) | null;
    /** Where a decision is taken again on the board; null where one of several answers is chosen beside it. */
    loadExercise: (() => Promise<{ default: Component<ExerciseProps> }>) | null;
};

export type SeatFigureProps = { view: TableView; player: PlayerView };

/** Shortcut keys under one heading. "…" between two keys means all from one to the other. */
export type KeyGroup = { title: string; lines: [keys: string[], text: string][] };

/** A side's name, and how it reads after "You play". */
export type SideTexts = { name: string; choice: string };

/** A game in the browser. Components other than the picture are loaded when they are needed. */
export type GameClient = {
    /** A name for lists, the same in every language. The full title is under `title` in the texts of the start page. */
    shortTitle: string;
    /** Where its puzzles are; below it, at `/daily`, a day's. */
    puzzles: string;
    /** The picture above the game's quick start. */
    loadScene: () => Promise<{ default: Component }>;
    /** A table as a small picture. */
    loadMini: () => Promise<{ default: Component<MiniProps> }>;
    /** A small picture of a side, where the seats of the game differ. */
    loadSideIcon: (() => Promise<{ default: Component<{ side: string }> }>) | null;
    /** Who sits on a chair before the game begins, as a figure: its herd or its side. */
    loadSeatFigure: () => Promise<{ default: Component<SeatFigureProps> }>;
    loadTable: () => Promise<{ default: Component<TableProps> }>;
    loadReplay: () => Promise<{ default: Component<ReplayProps> }>;
    /** The analysis of a game's positions, and whether positions can be set up by hand. */
    loadAnalysis: () => Promise<{ default: Component<AnalysisProps> }>;
    setsUp: boolean;
    loadReviewTexts: () => Promise<{ default: ReviewTexts }>;
    /** The letter with which the ids of its clauses begin. */
    clauseLetter: string;
    /** Draws a position of the rules; it needs about this height, so that the page doesn't move when it comes. */
    loadRulePicture: () => Promise<{ default: Component<{ scene: Scene }> }>;
    rulePictureHeight: (scene: Scene) => string;
    /** The moments at which the coach of a first game speaks. */
    loadCoach: () => Promise<CoachData>;
    loadLesson: () => Promise<{ default: Component<StageProps> }>;
    /** How many steps a replay has: a game may show one action in several. */
    replayLength: (replay: Replay) => Promise<number>;
    /** How many actions lead to a step of a replay: pictures count them. */
    replayAction: (replay: Replay, at: number) => Promise<number>;
    /** How long a step of a replay stays, compared with other games. */
    replayWeight: number;
    /** How many play when a game is started by one click, and when a table is created. */
    usualPlayers: number;
    /** The texts of a side that the server names, where the seats of the game differ. */
    side: (name: string) => SideTexts;
    /** The name of a colour that players may ask for, where the game has colours. */
    colour: (name: string) => string;
    /** Whether players may ask for colours where these variants are on. */
    offersColours: (variants: Record<string, boolean>) => boolean;
    /** A player's side or colour in the game that runs; null before they have one. */
    role: (view: TableView, player: number) => Role | null;
    /** By seat, what players have reached when a game is over, where more than winning counts; else null. */
    scores: (view: TableView) => readonly number[] | null;
    /** The rules with a head start for a seat, or a larger one; null where the game has none. */
    easierRules: (rules: Record<string, unknown>, seat: number) => Record<string, unknown> | null;
    /** Whether the table component shows the players; else the bar above the table does. */
    showsPlayers: boolean;
    keys: () => KeyGroup[];
    leaderboardName: (board: Leaderboard) => string;
};
