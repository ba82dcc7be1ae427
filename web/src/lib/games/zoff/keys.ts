/** Zoff by keys: letters choose pastures, digits cards or numbers of cows, arrows walk through the round. */
import { LETTERS, tableKey } from "$lib/table/keyboard.svelte";
import type { ActionDraft } from "./docks/draft.svelte";
import type { Tapping } from "./landscape/Landscape.svelte";
import type { Timeline } from "./story/timeline.svelte";
import type { Legal } from "./view";

export type KeyContext = {
    legal: Legal;
    draft: ActionDraft;
    timeline: Timeline;
    tapping: Tapping | null;
    /** In the order of the landscape. */
    pastures: string[];
    ondetails: (name: string) => void;
};

/** Handles a key; false when it has no meaning here. */
export function handleKey(event: KeyboardEvent, context: KeyContext): boolean {
    const key = tableKey(event);
    if (key === null) return false;
    const name = key.length === 1 ? context.pastures[LETTERS.indexOf(key)] : undefined;
    if (name !== undefined && LETTERS.includes(key)) return letter(name, context);
    return stepKey(key, context.timeline) || answerKey(key, context);
}

function letter(name: string, { legal, draft, tapping, ondetails }: KeyContext): boolean {
    if (tapping?.pickable.has(name)) tapping.tap(name);
    else if (legal.type === "settle" && legal.pastures.includes(name) && !legal.sealed) {
        const at = legal.colours.indexOf(draft.settled[name] ?? "");
        draft.settled[name] = legal.colours[(at + 1) % legal.colours.length] ?? "";
    } else ondetails(name);
    return true;
}

function stepKey(key: string, timeline: Timeline): boolean {
    if (timeline.steps.length === 0) return false;
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

function answerKey(key: string, { legal, draft }: KeyContext): boolean {
    if (key === "Enter") return press("seal") || press("bonus-place");
    if (key === "Backspace") {
        if (press("take-back") || press("bonus-undo")) return true;
        if (legal.type === "choose") draft.choice.clear();
        return true;
    }
    if (legal.type === "choose" && !legal.sealed) {
        if (/^[1-9]$/.test(key)) draft.choice.tapValue(key, legal.cards);
        else if (key === "ArrowDown") draft.choice.turnTo(1);
        else if (key === "ArrowUp") draft.choice.turnTo(-1);
        else return false;
        return true;
    }
    if (legal.type === "place" && /^\d$/.test(key)) {
        document.querySelector<HTMLElement>(`[data-testid=place-${key}]`)?.focus();
        return true;
    }
    return false;
}
