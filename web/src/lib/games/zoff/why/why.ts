/** "Why?" at a table of Zoff: reasons for steps, refusals, bonuses and bots' choices, from what was told at the table. */
import { has, list, t } from "$lib/i18n/index.svelte";
import { drawing, type Draw, type Why, type WhySection } from "$lib/rules/why";
import { boardAt, spotlight, tagsAt, type Tag } from "../landscape/board";
import { because, colourName, describeStep, sentence, who } from "../story/describe";
import type { Of, Step, ZoffEvent } from "../story/events";
import {
    pastureName,
    type BonusLegal,
    type Cast,
    type Pasture,
    type PlaceLegal,
    type ZoffView,
} from "../view";

/** At most so many pastures fit into a small picture. */
const MOST = 3;

type Fields = {
    pastures: Pasture[];
    tags?: Map<string, Tag[]>;
    ghosts?: Map<string, number>;
    own?: string[];
};

/** A picture of a few pastures; none for none or for too many. */
export function fields(shown: Fields): Draw | undefined {
    if (shown.pastures.length === 0 || shown.pastures.length > MOST) return undefined;
    return drawing(() => import("./MiniFields.svelte"), shown);
}

const ownColours = (zoff: ZoffView): string[] =>
    zoff.viewer === null ? [] : (zoff.seats[zoff.viewer]?.colours ?? []);

/** The rule behind a kind of event, beside the reasons that the event itself has. */
function ruleOf(event: ZoffEvent): string[] {
    const key = `why.zoff.rule.${event.kind}`;
    return has(key) ? [t(key)] : [];
}

/** The seat whose decision a step tells of; null where nobody decided. */
function decider({ events }: Step): number | null {
    const event = events.find((one) => one.kind === "placed") ?? events[0];
    const decided =
        (event.kind === "placed" && !event.forced) ||
        (event.kind === "bonus_placed" && !event.forced) ||
        event.kind === "wasted";
    return decided ? event.seat : null;
}

/** What a seat's choice of this round has done so far, from what is told. */
export function didOf(cast: Cast, zoff: ZoffView, told: Step[], seat: number): string[] {
    const events = told.flatMap((step) => step.events);
    const shown = events.find(
        (event): event is Of<"revealed"> => event.kind === "revealed" && event.seat === seat,
    );
    const pairs = (shown?.choice?.pairs ?? []).map(([pasture, card]) =>
        pasture ? t("review.pair", { card, pasture: pastureName(pasture) }) : card,
    );
    const laid = pairs.length > 0 ? [t("why.bot.laid", { pairs: list(pairs) })] : [];
    const board = boardAt(zoff, told, told.length);
    const lines = told.flatMap((step) => {
        const own = step.events.find(
            (event) =>
                (event.kind === "placed" ||
                    event.kind === "wasted" ||
                    event.kind === "bonus_placed") &&
                event.seat === seat,
        );
        if (!own) return [];
        const text = describeStep(cast, { ...step, events: [own] }).text;
        return [own.kind === "placed" ? `${text} ${rank(board.pastures, own)}`.trim() : text];
    });
    return [...laid, ...lines];
}

/** The rank that a herd has now, and what it would pay: as the field shows it. */
function rank(pastures: Pasture[], { pasture, colour }: Of<"placed">): string {
    const field = pastures.find((one) => one.name === pasture);
    const at = field ? Object.keys(field.herds).indexOf(colour) : -1;
    const bonus = field?.bonus[at];
    if (!field || at < 0) return "";
    return bonus
        ? t("why.bot.rankPays", { rank: at + 1, count: bonus })
        : t("why.bot.rank", { rank: at + 1 });
}

/** Why a step of the story is as it is; with `bots`, of a bot's decision also what its choice did. */
export function whyStep(
    cast: Cast,
    zoff: ZoffView,
    steps: Step[],
    shown: number,
    bots: boolean,
): Why {
    const step = steps[shown - 1];
    if (!step) return { title: t("why.ask"), lines: [] };
    const described = describeStep(cast, step);
    const names = spotlight(step);
    const after = boardAt(zoff, steps, shown);
    const seat = decider(step);
    const bot = cast.players.find((one) => one.seat === seat && one.kind === "bot");
    const more: WhySection[] = [];
    if (bots && bot && seat !== null) {
        const told = steps.slice(0, shown);
        // The view is of now: the board is taken back to this step.
        const then = { ...zoff, pastures: after.pastures };
        more.push({
            title: t("why.bot.title", { bot: who(cast, seat) }),
            lines: didOf(cast, then, told, seat),
        });
    }
    return {
        title: described.text,
        lines: [...described.why, ...step.events.slice(0, 1).flatMap(ruleOf)],
        more,
        picture: fields({
            pastures: after.pastures.filter(({ name }) => names.has(name)),
            tags: tagsAt(zoff, steps, shown),
            own: ownColours(zoff),
        }),
    };
}

/** Why a number of cows isn't allowed: the herds as they would stand. */
export function whyNumber(legal: PlaceLegal, pasture: Pasture, cows: number): Why {
    const reason = legal.refused.find((one) => one.cows.includes(cows))?.reason;
    const herd = (pasture.herds[legal.colour] ?? 0) + cows;
    const others = Object.entries(pasture.herds).filter(([colour]) => colour !== legal.colour);
    const sizes = list(others.map(([colour, size]) => `${colourName(colour)} ${size}`));
    return {
        title: t("why.number", { count: cows, pasture: pastureName(pasture.name) }),
        lines: [
            ...(reason ? [sentence(reason)] : [t("zoff.place.not")]),
            t("why.zoff.wouldHave", { count: herd }),
            ...(sizes ? [t("why.zoff.others", { sizes })] : []),
        ],
        picture: fields({
            pastures: [pasture],
            ghosts: new Map(
                cows <= pasture.free ? [[`${pasture.name}/${legal.colour}`, cows]] : [],
            ),
            own: [legal.colour],
        }),
    };
}

/** Why a pasture can't be chosen; the text is what the table says already. */
export function whyPasture(pasture: Pasture, text: string, zoff: ZoffView): Why {
    return {
        title: pastureName(pasture.name),
        lines: [
            text,
            t("zoff.forecast.spaces", { capacity: pasture.capacity, count: pasture.free }),
        ],
        picture: fields({ pastures: [pasture], own: ownColours(zoff) }),
    };
}

/** Why there is a bonus, and where it may go. */
export function whyBonus(zoff: ZoffView, legal: BonusLegal): Why {
    const source = zoff.pastures.find((one) => one.name === legal.from);
    const herds = Object.entries(source?.herds ?? {}).map(([colour, herd], index) =>
        t("why.zoff.herd", {
            rank: index + 1,
            colour: colourName(colour),
            herd,
            bonus: source?.bonus[index] ?? 0,
        }),
    );
    const refused = new Map(
        legal.refused.map(({ reason, pastures }) => [because(reason), pastures]),
    );
    const wrong = [...refused].map(([text, pastures]) =>
        t("zoff.pasture.refused", { name: list(pastures.map(pastureName)), reason: text }),
    );
    return {
        title: t("why.zoff.bonus", { pasture: pastureName(legal.from), count: legal.cows }),
        lines: [
            t(legal.kind === "fair" ? "why.zoff.rule.fair" : "why.zoff.rule.filled"),
            ...herds,
            t("why.zoff.rule.bonus_placed"),
            ...wrong,
        ],
        picture: fields({ pastures: source ? [source] : [], own: ownColours(zoff) }),
    };
}
