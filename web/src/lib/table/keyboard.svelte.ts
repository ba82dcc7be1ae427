/** Shortcut keys: which ones are meant for the table, and whether they are used at all. */

class Keyboard {
    /** Whether shortcut keys are in use: then letters are shown beside what they choose. */
    used = $state(false);
}

export const keyboard = new Keyboard();

/** Letters for pastures, in the order of the landscape. `m` and what follows means something else. */
export const LETTERS = "abcdefghijkl";

/** The key if it is meant for the table; null in inputs and dialogs, and for the browser's own shortcuts. */
export function tableKey(event: KeyboardEvent): string | null {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
    const target = event.target as Element;
    if (target.closest("input, select, textarea, summary") !== null) return null;
    if (document.querySelector("dialog[open]") !== null) return null;
    const pressed = event.key === "Enter" || event.key === " ";
    if (pressed && target.closest("button, a") !== null) return null;
    keyboard.used = true;
    return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
