/** Zoff by keys: letters choose pastures, digits cards or numbers of cows, arrows walk through the round. */
import { t } from "$lib/i18n/index.svelte";
import { LETTERS, tableKey } from "$lib/table/keyboard.svelte";
import type { ActionDraft } from "./docks/draft.svelte";
import type { Tapping } from "./landscape/Landscape.svelte";
import type { Timeline } from "./story/timeline.svelte";
import { because } from "./story/describe";
import type { Legal, PlaceLegal } from "./view";

export type KeyContext = {
    legal: Legal;
    draft: ActionDraft;
    /** The steps that arrows walk through; null where there are none. */
    timeline: Timeline | null;
    tapping: Tapping | null;
    /** In the order of the landscape. */
    pastures: string[];
    onrefused: (name: string) => void;
    ondetails: (name: string) => void;
    /** Tells a screen reader why a key did nothing. */
    say: (text: string) => void;
};

/** Handles a key; false when it has no meaning here. */
export function handleKey(event: KeyboardEvent, context: KeyContext): boolean {
    const key = tableKey(event);
    if (key === null) return false;
    const name = key.length === 1 ? context.pastures[LETTERS.indexOf(key)] : undefined;
    if (name !== undefined && LETTERS.includes(key)) return letter(name, context);
    return stepKey(key, context.timeline) || answerKey(key, context);
}

function letter(name: string, context: KeyContext): boolean {
    const { legal, draft, tapping, onrefused, ondetails } = context;
    if (tapping?.pickable.has(name)) tapping.tap(name);
    else if (legal.type === "settle" && legal.pastures.includes(name) && !legal.sealed) {
        const at = legal.colours.indexOf(draft.settled[name] ?? "");
        draft.settled[name] = legal.colours[(at + 1) % legal.colours.length] ?? "";
    } else if (tapping && tapping.pickable.size > 0) onrefused(name);
    else ondetails(name);
    return true;
}

function stepKey(key: string, timeline: Timeline | null): boolean {
    if (timeline === null || timeline.steps.length === 0) return false;
    if (key === "ArrowLeft") timeline.back();
    else if (key === "ArrowRight") {
        timeline.playing = false;
        timeline.forward();
    } else if (key === " ") timeline.toggle();
    else if (key === "End") timeline.skip();
    else return false;
    return true;
}

/** Clicks the button on the screen, so that keys can't answer what clicks couldn't. */
function press(testid: string): boolean {
    const button = document.querySelector<HTMLElement>(`[data-testid=${testid}]:enabled`);
    button?.click();
    return button !== null;
}

/** Why a number of cows can't be placed. */
function refusal(legal: PlaceLegal, cows: number): string {
    const why = legal.refused.find((one) => one.cows.includes(cows))?.reason;
    return why ? t("zoff.event.refused", { cows, reason: because(why) }) : t("zoff.place.not");
}

function answerKey(key: string, { legal, draft, say }: KeyContext): boolean {
    if (key === "t") return press("hint");
    if (key === "w") return press("why-number") || press("why-pasture") || press("why-step");
    if (key === "Enter") return press("seal") || press("place-go") || press("bonus-place");
    if (key === "Backspace") {
        if (press("take-back") || press("bonus-undo")) return true;
        if (legal.type === "choose") draft.choice.clear();
        return true;
    }
    if (legal.type === "choose" && !legal.sealed) {
        if (/^[1-9]$/.test(key)) {
            if (!draft.choice.tapValue(key, legal.cards))
                say(t("zoff.choose.noSuchCard", { value: key }));
        } else if (key === "ArrowDown") draft.choice.turnTo(1);
        else if (key === "ArrowUp") draft.choice.turnTo(-1);
        else return false;
        return true;
    }
    if (legal.type === "place" && /^\d$/.test(key)) {
        const cows = Number(key);
        if (legal.ranks[cows] == null) say(refusal(legal, cows));
        if (cows < legal.ranks.length && draft.picked !== cows) draft.pick(cows);
        return true;
    }
    return false;
}
