/** A small table of Zoff for tests: three players, three pastures, one round with a cascade. */
import { sampleMessage, samplePlayer, sampleTableView } from "$lib/api/sample";
import type { Message, TableView } from "$lib/api/types";
import type { ZoffEvent } from "./story/events";
import type { ChooseLegal, Reason, ZoffView } from "./view";

/** The board when everything below has happened. */
export function sampleView(changes: Partial<ZoffView> = {}): ZoffView {
    const seat = (colour: string, placed: number) => ({
        colours: [colour],
        reserves: { [colour]: 48 - placed },
        placed,
        cards: 8,
        answered: false,
        bid: null,
    });
    return {
        game: "zoff",
        viewer: 0,
        rules: { players: 3, auction: false, fair: false, open_discards: false, edition: "test" },
        phase: "choose",
        round: 2,
        rounds: 5,
        to_act: [0, 1, 2],
        pastures: [
            { name: "Small", capacity: 4, bonus: [1, 1], free: 0, herds: { orange: 3, pink: 1 } },
            { name: "Middle", capacity: 6, bonus: [1, 2], free: 0, herds: { green: 4, orange: 2 } },
            { name: "Large", capacity: 9, bonus: [1, 2, 1], free: 7, herds: { pink: 2 } },
        ],
        seats: [seat("orange", 5), seat("pink", 3), seat("green", 4)],
        free_colours: {},
        bid_round: 0,
        hand: ["2B"],
        answer: null,
        laid: [],
        line: [],
        waiting: [],
        due: [],
        queue: [],
        discards: null,
        legal: { type: "none" },
        result: null,
        ...changes,
    };
}

/** A choice of two pairs; `changes` says what a test needs. */
export function sampleChoose(changes: Partial<ChooseLegal> = {}): ChooseLegal {
    return {
        type: "choose",
        pastures: ["Small", "Middle"],
        cards: ["2B", "3D"],
        pairs: 2,
        colours: [],
        sealed: false,
        refused: [],
        forecast: {},
        ...changes,
    };
}

const herdReason: Reason = { code: "has_herd", clause: "Z4.2", herd: 1 };

export const SAMPLE_EVENTS: ZoffEvent[] = [
    { kind: "sealed", seat: 2, open_again: false },
    {
        kind: "revealed",
        round: 1,
        seat: 0,
        choice: {
            type: "choose",
            pairs: [
                ["Small", "2B"],
                ["Middle", "3D"],
            ],
        },
    },
    {
        kind: "revealed",
        round: 1,
        seat: 1,
        choice: {
            type: "choose",
            pairs: [
                ["Small", "4G"],
                ["Large", "2D"],
            ],
        },
    },
    {
        kind: "revealed",
        round: 1,
        seat: 2,
        choice: {
            type: "choose",
            pairs: [
                ["Middle", "4D"],
                ["Large", "2E"],
            ],
        },
    },
    {
        kind: "precedence",
        round: 1,
        pasture: "Small",
        turns: [
            { seat: 0, colour: "orange", card: "2B", reason: herdReason },
            {
                seat: 1,
                colour: "pink",
                card: "4G",
                reason: { code: "card_value", clause: "Z4.2", card: "4G" },
            },
        ],
    },
    {
        kind: "placed",
        round: 1,
        seat: 0,
        colour: "orange",
        pasture: "Small",
        card: "2B",
        cows: 2,
        herd: 3,
        forced: false,
        refused: [],
    },
    {
        kind: "placed",
        round: 1,
        seat: 1,
        colour: "pink",
        pasture: "Small",
        card: "4G",
        cows: 1,
        herd: 1,
        forced: false,
        refused: [[2, { code: "no_space", clause: "Z4.3", free: 1 }]],
    },
    { kind: "filled", pasture: "Small", seat: 1, colour: "pink", waits_behind: [] },
    {
        kind: "bonus_placed",
        seat: 0,
        colour: "orange",
        source: "Small",
        bonus: "rank",
        rank: 1,
        due: 1,
        on: ["Middle"],
        forced: false,
        lost: null,
    },
    { kind: "filled", pasture: "Middle", seat: 0, colour: "orange", waits_behind: ["Small"] },
    {
        kind: "bonus_placed",
        seat: 1,
        colour: "pink",
        source: "Small",
        bonus: "rank",
        rank: 2,
        due: 1,
        on: ["Large"],
        forced: false,
        lost: null,
    },
    {
        kind: "bonus_placed",
        seat: 2,
        colour: "green",
        source: "Middle",
        bonus: "rank",
        rank: 1,
        due: 1,
        on: [],
        forced: false,
        lost: { code: "declined", clause: "Z5.2", cows: 1 },
    },
    {
        kind: "wasted",
        round: 1,
        seat: 2,
        colour: "green",
        pasture: "Middle",
        card: "4D",
        reason: { code: "pasture_full", clause: "Z4.5", pasture: "Middle" },
    },
    { kind: "round_ended", round: 1 },
];

export function sampleTable(zoff: ZoffView = sampleView(), seq = 10): TableView {
    const names = ["Anna", "Ben", "Cleo"];
    const players = names.map((name, player) => samplePlayer(player, { name }));
    return sampleTableView({ seq, players, view: zoff });
}

export const sampleEvents = (events: ZoffEvent[], seq: number): Message =>
    sampleMessage(seq, { events });
