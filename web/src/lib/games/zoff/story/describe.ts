/** Describes Zoff's events: what happened, and why. */
import { list, number, t } from "$lib/i18n/index.svelte";
import type { Of, Step, ZoffEvent } from "./events";
import { places } from "./places";
import { nameOf, pastureName, zoffView, type Cast, type Reason } from "../view";

/** A step as text: a headline, the reasons behind it, and the colours it is about. */
export type Description = { text: string; why: string[]; colours: string[] };

export const colourName = (colour: string): string => t(`zoff.colour.${colour}`);

/** The name of a colour's player, with the colour where the name alone is ambiguous. */
export function who(cast: Cast, seat: number, colour?: string): string {
    const name = nameOf(cast, seat);
    const own = zoffView(cast)?.seats[seat]?.colours ?? [];
    const shown = colour ?? own[0];
    const ambiguous =
        own.length > 1 ||
        cast.players.some((p) => p.seat !== seat && nameOf(cast, p.seat) === name);
    return ambiguous && shown ? t("zoff.who", { name, colour: colourName(shown) }) : name;
}

/** The values that a sentence about a seat needs. */
type Values = Record<string, string | number | undefined>;

/** A sentence about a seat: in the second person for the reader, with the colour where they play several. */
function tell(cast: Cast, key: string, seat: number, colour?: string, values: Values = {}): string {
    if (seat !== cast.self) return t(key, { ...values, who: who(cast, seat, colour) });
    const colours = zoffView(cast)?.seats[seat]?.colours ?? [];
    const own = colour && colours.length > 1 ? ` (${colourName(colour)})` : "";
    return t(key, { ...values, own, context: "you" });
}

/** A seat in a list without a verb. */
const listed = (cast: Cast, seat: number): string =>
    seat === cast.self ? t("common.self") : who(cast, seat);

/** A sentence about winners: the reader shares a victory with the others. */
export function won(cast: Cast, key: string, winners: number[]): string {
    const own = winners.some((seat) => seat === cast.self);
    const others = winners.filter((seat) => seat !== cast.self);
    return t(key, {
        count: winners.length,
        who: list(others.map((seat) => nameOf(cast, seat))),
        ...(own ? { context: "you" } : {}),
    });
}

/** A reason as text, without its clause. Reasons of earlier rounds come without the cards. */
export function why(reason: Reason): string {
    const { code, clause: _clause, ...values } = reason;
    if (["has_herd", "card_value", "letter"].includes(code) && Object.keys(values).length === 0) {
        return t(`zoff.reason.blind.${code}`);
    }
    if (code === "no_space" && !values.free) return t("zoff.reason.no_free_space");
    const shown: Record<string, number | string> = { ...values };
    if (values.colour) shown["colour"] = colourName(values.colour);
    if (values.pasture) shown["pasture"] = pastureName(values.pasture);
    if (code === "no_space") shown["count"] = values.free ?? 0;
    if (code === "no_herd_of_rank") shown["count"] = values.herds ?? 0;
    return t(`zoff.reason.${code}`, shown);
}

export const because = (reason: Reason): string =>
    t("zoff.because", { reason: why(reason), clause: reason.clause });

/** A reason that stands alone. */
export function sentence(reason: Reason): string {
    const text = because(reason);
    return `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`;
}

const rankName = (rank: number): string => t(`zoff.rank.${rank}`);

const plainly = (text: string, colours: string[] = [], reasons: string[] = []): Description => ({
    text,
    why: reasons,
    colours,
});

function precedence(cast: Cast, event: Of<"precedence">): Description {
    const first = event.turns[0];
    if (!first) return plainly("");
    const pasture = pastureName(event.pasture);
    if (event.turns.length === 1) {
        return plainly(tell(cast, "zoff.event.alone", first.seat, first.colour, { pasture }), [
            first.colour,
        ]);
    }
    return {
        text: tell(cast, "zoff.event.precedence", first.seat, first.colour, { pasture }),
        why: event.turns.map((turn, index) =>
            tell(cast, "zoff.event.turn", turn.seat, turn.colour, {
                place: index + 1,
                reason: because(turn.reason),
            }),
        ),
        colours: event.turns.map((turn) => turn.colour),
    };
}

function placed(cast: Cast, event: Of<"placed">): Description {
    const values = {
        pasture: pastureName(event.pasture),
        count: event.cows,
        herd: event.herd,
    };
    const key = event.cows === 0 ? "zoff.event.placedNone" : "zoff.event.placed";
    const reasons = event.refused.map(([cows, reason]) =>
        t("zoff.event.refused", { cows, reason: because(reason) }),
    );
    if (event.forced) reasons.push(t("zoff.event.forced"));
    return {
        text: tell(cast, key, event.seat, event.colour, values),
        why: reasons,
        colours: [event.colour],
    };
}

function bonus(cast: Cast, event: Of<"bonus_placed">): Description {
    const values = {
        source: pastureName(event.source),
        rank: rankName(event.rank),
        count: event.due,
        pastures: places(event.on),
    };
    const fair = event.bonus === "fair";
    const used = fair ? "zoff.event.bonusFair" : "zoff.event.bonus";
    const unused = fair ? "zoff.event.bonusUnusedFair" : "zoff.event.bonusUnused";
    const key = event.on.length > 0 ? used : unused;
    return {
        text: tell(cast, key, event.seat, event.colour, values),
        why: event.lost
            ? [
                  t("zoff.event.lost", {
                      count: event.lost.cows ?? 0,
                      reason: because(event.lost),
                  }),
              ]
            : [],
        colours: [event.colour],
    };
}

function finalBonus(cast: Cast, events: Of<"final_bonus">[]): Description {
    const pasture = pastureName(events[0]?.pasture ?? "");
    return {
        text: t("zoff.event.final", { pasture }),
        why: events.map((event) => {
            const values = { rank: rankName(event.rank), count: event.cows };
            const line = tell(cast, "zoff.event.finalLine", event.seat, event.colour, values);
            return event.lost ? `${line} ${sentence(event.lost)}` : line;
        }),
        colours: events.map((event) => event.colour),
    };
}

function bids(cast: Cast, events: Of<"bid_shown">[]): Description {
    return {
        text: t("zoff.event.bids"),
        why: events.map((event) =>
            tell(cast, "zoff.event.bidLine", event.seat, undefined, {
                bid: number(Number(event.bid)),
            }),
        ),
        colours: [],
    };
}

function settled(cast: Cast, events: Of<"settled">[]): Description {
    return {
        text: t("zoff.event.settled"),
        why: events.map((event) => {
            const where = Object.entries(event.settle.colours).map(([pasture, colour]) =>
                t("zoff.on", { colour: colourName(colour), pasture: pastureName(pasture) }),
            );
            return tell(cast, "zoff.event.settledLine", event.seat, undefined, {
                where: list(where),
            });
        }),
        colours: [],
    };
}

function single(cast: Cast, event: ZoffEvent): Description {
    switch (event.kind) {
        case "precedence":
            return precedence(cast, event);
        case "placed":
            return placed(cast, event);
        case "bonus_placed":
            return bonus(cast, event);
        case "wasted":
            return plainly(
                tell(cast, "zoff.event.wasted", event.seat, event.colour),
                [event.colour],
                [sentence(event.reason)],
            );
        case "filled": {
            const pasture = pastureName(event.pasture);
            const queue = list(event.waits_behind.map(pastureName));
            return plainly(
                tell(cast, "zoff.event.filled", event.seat, event.colour, { pasture }),
                [event.colour],
                queue ? [t("zoff.event.waits", { pastures: queue })] : [],
            );
        }
        case "bonus_lapsed":
            return plainly(
                t("zoff.event.lapsed", {
                    pasture: pastureName(event.pasture),
                    rank: rankName(event.rank),
                }),
                [],
                [sentence(event.reason)],
            );
        case "bids_tied":
            return plainly(
                t("zoff.event.tied", { who: list(event.seats.map((seat) => listed(cast, seat))) }),
                [],
                [sentence(event.reason)],
            );
        case "ranked":
            return plainly(
                t("zoff.event.ranked", {
                    who: list(event.order.map((seat) => listed(cast, seat))),
                }),
            );
        case "picked":
            return plainly(
                tell(cast, "zoff.event.picked", event.seat, event.colour, {
                    colour: colourName(event.colour),
                }),
                [event.colour],
                event.forced ? [t("zoff.event.forced")] : [],
            );
        case "round_ended":
            return plainly(t("zoff.event.roundEnded", { round: event.round }));
        case "ended":
            return plainly(
                won(cast, "zoff.event.ended", event.winners),
                [],
                [sentence(event.reason), sentence(event.decided_by)],
            );
        default:
            return plainly("");
    }
}

export function describeStep(cast: Cast, step: Step): Description {
    const first = step.events[0];
    const second = step.events[1];
    if (first.kind === "precedence" && second?.kind === "placed") {
        const told = placed(cast, second);
        return { ...told, why: [precedence(cast, first).text, ...told.why] };
    }
    switch (first.kind) {
        case "revealed":
            return plainly(t("zoff.event.revealed", { round: first.round }));
        case "bid_shown":
            return bids(cast, step.events as Of<"bid_shown">[]);
        case "settled":
            return settled(cast, step.events as Of<"settled">[]);
        case "final_bonus":
            return finalBonus(cast, step.events as Of<"final_bonus">[]);
        default:
            return single(cast, first);
    }
}
