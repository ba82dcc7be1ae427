/** Describes Zoff's events: what happened, and why. */
import type { Reason, TableView } from "$lib/api/types";
import { list, number, t } from "$lib/i18n/index.svelte";
import type { Of, Step, ZoffEvent } from "./events";
import { nameOf, pastureName, zoffView } from "../view";

/** A step as text: a headline, the reasons behind it, and the colours it is about. */
export type Description = { text: string; why: string[]; colours: string[] };

export const colourName = (colour: string): string => t(`zoff.colour.${colour}`);

/** The name of a colour's player, with the colour where the name alone is ambiguous. */
export function who(view: TableView, seat: number, colour?: string): string {
    const name = nameOf(view, seat);
    const own = zoffView(view)?.seats[seat]?.colours ?? [];
    const shown = colour ?? own[0];
    const ambiguous =
        own.length > 1 ||
        view.players.some((p) => p.seat !== seat && nameOf(view, p.seat) === name);
    return ambiguous && shown ? t("zoff.who", { name, colour: colourName(shown) }) : name;
}

/** A reason as text, without its clause. Reasons of earlier rounds come without the cards. */
export function why(reason: Reason): string {
    const { code, clause: _clause, ...values } = reason;
    if (["has_herd", "card_value", "letter"].includes(code) && Object.keys(values).length === 0) {
        return t(`zoff.reason.blind.${code}`);
    }
    const said: Record<string, unknown> = { ...values };
    if (typeof values["colour"] === "string") said["colour"] = colourName(values["colour"]);
    if (typeof values["pasture"] === "string") said["pasture"] = pastureName(values["pasture"]);
    if (code === "no_space") said["count"] = values["free"];
    if (code === "no_herd_of_rank") said["count"] = values["herds"];
    return t(`zoff.reason.${code}`, said);
}

export const because = (reason: Reason): string =>
    t("zoff.because", { reason: why(reason), clause: reason.clause });

/** A reason that stands alone. */
export function sentence(reason: Reason): string {
    const text = because(reason);
    return `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`;
}

const rankName = (rank: number): string => t(`zoff.rank.${rank}`);

function precedence(view: TableView, event: Of<"precedence">): Description {
    const names = event.turns.map((turn) => who(view, turn.seat, turn.colour));
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

function placed(view: TableView, event: Of<"placed">): Description {
    const values = {
        who: who(view, event.seat, event.colour),
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

function bonus(view: TableView, event: Of<"bonus_placed">): Description {
    const values = {
        who: who(view, event.seat, event.colour),
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
                      count: Number(event.lost["cows"]),
                      reason: because(event.lost),
                  }),
              ]
            : [],
        colours: [event.colour],
    };
}

function finalBonus(view: TableView, events: Of<"final_bonus">[]): Description {
    const pasture = pastureName(events[0]?.pasture ?? "");
    return {
        text: t("zoff.event.final", { pasture }),
        why: events.map((event) => {
            const line = t("zoff.event.finalLine", {
                rank: rankName(event.rank),
                who: who(view, event.seat, event.colour),
                count: event.cows,
            });
            return event.lost ? `${line} ${sentence(event.lost)}` : line;
        }),
        colours: events.map((event) => event.colour),
    };
}

function bids(view: TableView, events: Of<"bid_shown">[]): Description {
    return {
        text: t("zoff.event.bids"),
        why: events.map((event) => `${who(view, event.seat)}: ${number(Number(event.bid))}`),
        colours: [],
    };
}

function settled(view: TableView, events: Of<"settled">[]): Description {
    return {
        text: t("zoff.event.settled"),
        why: events.map((event) => {
            const where = Object.entries(event.settle.colours).map(([pasture, colour]) =>
                t("zoff.on", { colour: colourName(colour), pasture: pastureName(pasture) }),
            );
            return `${nameOf(view, event.seat)}: ${list(where)}`;
        }),
        colours: [],
    };
}

const plainly = (text: string, colours: string[] = [], reasons: string[] = []): Description => ({
    text,
    why: reasons,
    colours,
});

function single(view: TableView, event: ZoffEvent): Description {
    switch (event.kind) {
        case "precedence":
            return precedence(view, event);
        case "placed":
            return placed(view, event);
        case "bonus_placed":
            return bonus(view, event);
        case "wasted":
            return plainly(
                t("zoff.event.wasted", { who: who(view, event.seat, event.colour) }),
                [event.colour],
                [sentence(event.reason)],
            );
        case "filled": {
            const pasture = pastureName(event.pasture);
            const queue = list(event.waits_behind.map(pastureName));
            return plainly(
                t("zoff.event.filled", { pasture, who: who(view, event.seat, event.colour) }),
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
                t("zoff.event.tied", { who: list(event.seats.map((seat) => who(view, seat))) }),
                [],
                [sentence(event.reason)],
            );
        case "ranked":
            return plainly(
                t("zoff.event.ranked", { who: list(event.order.map((seat) => who(view, seat))) }),
            );
        case "picked":
            return plainly(
                t("zoff.event.picked", {
                    who: nameOf(view, event.seat),
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
                    who: list(event.winners.map((seat) => nameOf(view, seat))),
                }),
                [],
                [sentence(event.reason), sentence(event.decided_by)],
            );
        default:
            return plainly("");
    }
}

export function describeStep(view: TableView, step: Step): Description {
    const first = step.events[0];
    switch (first.kind) {
        case "revealed":
            return plainly(t("zoff.event.revealed", { round: first.round }));
        case "bid_shown":
            return bids(view, step.events as Of<"bid_shown">[]);
        case "settled":
            return settled(view, step.events as Of<"settled">[]);
        case "final_bonus":
            return finalBonus(view, step.events as Of<"final_bonus">[]);
        default:
            return single(view, first);
    }
}
