/** Answers of a lesson of Zoff: what they put on the pastures, and how they are told. */
import type { LessonStep, LessonTry } from "$lib/api/types";
import type { Telling } from "$lib/learn/stage";
import { t } from "$lib/i18n/index.svelte";
import { describeStep, sentence } from "../story/describe";
import { withEvents, type ZoffEvent } from "../story/events";
import type { Cast, Reason, ZoffAction, ZoffView } from "../view";

/** A lesson's views, events and actions are those of its game. */
export const viewOf = (step: LessonStep): ZoffView => step.view as ZoffView;
export const actionOf = (answer: LessonTry): ZoffAction => answer.action as ZoffAction;
const eventsOf = (answer: LessonTry): ZoffEvent[] => answer.events as ZoffEvent[];

/** The learner is "you", the others have the lesson's names. */
export function castOf(step: LessonStep, answer: LessonTry | null): Cast {
    const others = step.cast.map((name, index) => ({ seat: index + 1, name, kind: "human" }));
    return {
        view: answer?.after ?? step.view,
        players: [{ seat: 0, name: t("common.self"), kind: "human" }, ...others],
        self: 0,
    };
}

const isReason = (refusal: LessonTry["refusal"]): refusal is Reason =>
    refusal !== null && "code" in refusal;

/** Steps that tell nothing in a lesson. */
const SILENT = ["revealed", "round_ended", "sealed"];

export function tell(step: LessonStep, answer: LessonTry): Telling {
    const steps = withEvents([], eventsOf(answer), 0).filter(
        ({ events }) => !SILENT.includes(events[0].kind),
    );
    const cast = castOf(step, answer);
    return {
        reason: isReason(answer.refusal)
            ? sentence(answer.refusal)
            : answer.refusal
              ? t("learn.refused")
              : "",
        lines: steps.map((one) => describeStep(cast, one)),
        reply: "",
    };
}

/** The colour of a herd that an answer would equal; null where that isn't the reason. */
export function equalTo({ refusal }: LessonTry): string | null {
    return isReason(refusal) && refusal.code === "equal_herd" ? (refusal.colour ?? null) : null;
}

/** The cows that an answer would put down, by `pasture/colour`: those of the events, or the number that is refused. */
export function ghostsOf(step: LessonStep, answer: LessonTry): Map<string, number> {
    const found = new Map<string, number>();
    const add = (pasture: string, colour: string, cows: number) =>
        cows > 0 &&
        found.set(`${pasture}/${colour}`, (found.get(`${pasture}/${colour}`) ?? 0) + cows);
    const legal = viewOf(step).legal;
    const action = actionOf(answer);
    if (answer.refusal && legal.type === "place" && action.type === "place") {
        add(legal.pasture, legal.colour, action.cows);
    }
    for (const event of eventsOf(answer)) {
        if (event.kind === "placed" || event.kind === "final_bonus") {
            add(event.pasture, event.colour, event.cows);
        } else if (event.kind === "bonus_placed") {
            for (const name of event.on) add(name, event.colour, 1);
        }
    }
    return found;
}
