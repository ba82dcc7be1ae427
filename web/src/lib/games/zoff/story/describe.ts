/** Describes Zoff's events: what happened, and why. */
import { list, number, t } from "$lib/i18n/index.svelte";
import type { Of, Step, ZoffEvent } from "./events";
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

/** A reason as text, without its clause. Reasons of earlier rounds come without the cards. */
export function why(reason: Reason): string {
    const { code, clause: _clause, ...values } = reason;
    if (["has_herd", "card_value", "letter"].includes(code) && Object.keys(values).length === 0) {
        return t(`zoff.reason.blind.${code}`);
    }
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

function precedence(cast: Cast, event: Of<"precedence">): Description {
    const names = event.turns.map((turn) => who(cast, turn.seat, turn.colour));
    const only = event.turns[0];
    const pasture = pastureName(event.pasture);
    if (event.turns.length === 1) {
        return {
            text: t("zoff.event.alone", { pasture, who: names[0] }),
            why: [],
            colours: only ? [only.colour] : [],
        };
    }
    return {
        text: t("zoff.event.precedence", { pasture, who: names[0] }),
        why: event.turns.map((turn, index) =>
            t("zoff.event.turn", {
                place: index + 1,
                who: names[index],
                reason: because(turn.reason),
            }),
        ),
        colours: event.turns.map((turn) => turn.colour),
    };
}

function placed(cast: Cast, event: Of<"placed">): Description {
    const values = {
        who: who(cast, event.seat, event.colour),
        pasture: pastureName(event.pasture),
        count: event.cows,
        herd: event.herd,
    };
    const reasons = event.refused.map(([cows, reason]) =>
        t("zoff.event.refused", { cows, reason: because(reason) }),
    );
    if (event.forced) reasons.push(t("zoff.event.forced"));
    return {
        text: t(event.cows === 0 ? "zoff.event.placedNone" : "zoff.event.placed", values),
        why: reasons,
        colours: [event.colour],
    };
}

function bonus(cast: Cast, event: Of<"bonus_placed">): Description {
    const values = {
        who: who(cast, event.seat, event.colour),
        source: pastureName(event.source),
        rank: rankName(event.rank),
        count: event.due,
        pastures: list(event.on.map(pastureName)),
    };
    const fair = event.bonus === "fair";
    const text =
        event.on.length > 0
            ? t(fair ? "zoff.event.bonusFair" : "zoff.event.bonus", values)
            : t(fair ? "zoff.event.bonusUnusedFair" : "zoff.event.bonusUnused", values);
    return {
        text,
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
            const line = t("zoff.event.finalLine", {
                rank: rankName(event.rank),
                who: who(cast, event.seat, event.colour),
                count: event.cows,
            });
            return event.lost ? `${line} ${sentence(event.lost)}` : line;
        }),
        colours: events.map((event) => event.colour),
    };
}

function bids(cast: Cast, events: Of<"bid_shown">[]): Description {
    return {
        text: t("zoff.event.bids"),
        why: events.map((event) => `${who(cast, event.seat)}: ${number(Number(event.bid))}`),
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
            return `${nameOf(cast, event.seat)}: ${list(where)}`;
        }),
        colours: [],
    };
}

const plainly = (text: string, colours: string[] = [], reasons: string[] = []): Description => ({
    text,
    why: reasons,
    colours,
});

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
                t("zoff.event.wasted", { who: who(cast, event.seat, event.colour) }),
                [event.colour],
                [sentence(event.reason)],
            );
        case "filled": {
            const pasture = pastureName(event.pasture);
            const queue = list(event.waits_behind.map(pastureName));
            return plainly(
                t("zoff.event.filled", { pasture, who: who(cast, event.seat, event.colour) }),
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
                t("zoff.event.tied", { who: list(event.seats.map((seat) => who(cast, seat))) }),
                [],
                [sentence(event.reason)],
            );
        case "ranked":
            return plainly(
                t("zoff.event.ranked", { who: list(event.order.map((seat) => who(cast, seat))) }),
            );
        case "picked":
            return plainly(
                t("zoff.event.picked", {
                    who: nameOf(cast, event.seat),
                    colour: colourName(event.colour),
                }),
                [event.colour],
                event.forced ? [t("zoff.event.forced")] : [],
            );
        case "round_ended":
            return plainly(t("zoff.event.roundEnded", { round: event.round }));
        case "ended":
            return plainly(
                t("zoff.event.ended", {
                    count: event.winners.length,
                    who: list(event.winners.map((seat) => nameOf(cast, seat))),
                }),
                [],
                [sentence(event.reason), sentence(event.decided_by)],
            );
        default:
            return plainly("");
    }
}

export function describeStep(cast: Cast, step: Step): Description {
    const first = step.events[0];
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
