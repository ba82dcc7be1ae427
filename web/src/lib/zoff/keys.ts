/** Zoff by keys: letters choose pastures, digits cards or numbers of cows, arrows walk through the round. */
import { LETTERS, tableKey } from "$lib/table/keyboard.svelte";
import type { Desk } from "./desk.svelte";
import type { Tapping } from "./Landscape.svelte";
import type { Timeline } from "./timeline.svelte";
import type { Legal } from "./view";

export type Around = {
    legal: Legal;
    desk: Desk;
    timeline: Timeline;
    tapping: Tapping | null;
    /** In the order of the landscape. */
    pastures: string[];
    answer: (action: unknown) => Promise<void>;
    ondetails: (name: string) => void;
};

/** Answers a key; true when it meant something. */
export function pressed(event: KeyboardEvent, around: Around): boolean {
    const key = tableKey(event);
    if (key === null) return false;
    const name = key.length === 1 ? around.pastures[LETTERS.indexOf(key)] : undefined;
    if (name !== undefined && LETTERS.includes(key)) return letter(name, around);
    return walk(key, around.timeline) || answerKey(key, around);
}

function letter(name: string, { legal, desk, tapping, ondetails }: Around): boolean {
    if (tapping?.pickable.has(name)) tapping.tap(name);
    else if (legal.type === "settle" && legal.pastures.includes(name) && !legal.sealed) {
        const at = legal.colours.indexOf(desk.settled[name] ?? "");
        desk.settled[name] = legal.colours[(at + 1) % legal.colours.length] ?? "";
    } else ondetails(name);
    return true;
}

function walk(key: string, timeline: Timeline): boolean {
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

/** What stands on the screen is what a key presses: so nothing can be answered that couldn't be clicked. */
function press(testid: string): boolean {
    const button = document.querySelector<HTMLElement>(`[data-testid=${testid}]:enabled`);
    button?.click();
    return button !== null;
}

function answerKey(key: string, { legal, desk }: Around): boolean {
    if (key === "Enter") return press("seal") || press("bonus-place");
    if (key === "Backspace") {
        if (press("take-back") || press("bonus-undo")) return true;
        if (legal.type === "choose") desk.choice.clear();
        return true;
    }
    if (legal.type === "choose" && !legal.sealed) {
        if (/^[1-9]$/.test(key)) desk.choice.tapValue(key, legal.cards);
        else if (key === "ArrowDown") desk.choice.turnTo(1);
        else if (key === "ArrowUp") desk.choice.turnTo(-1);
        else return false;
        return true;
    }
    if (legal.type === "place" && /^\d$/.test(key)) {
        document.querySelector<HTMLElement>(`[data-testid=place-${key}]`)?.focus();
        return true;
    }
    return false;
}
