/** Shortcut keys: which ones are meant for the table, and whether they are used at all. */

const STORED = "stampede.keys";

class Keyboard {
    /** Whether shortcut keys are in use: then letters are shown beside what they choose. */
    used = $state(false);
    /** Whether letters, digits and signs are shortcuts at all (WCAG 2.1.4); kept on the device. */
    on = $state(localStorage.getItem(STORED) !== "off");

    turn(on: boolean): void {
        this.on = on;
        if (!on) this.used = false;
        localStorage.setItem(STORED, on ? "on" : "off");
    }
}

export const keyboard = new Keyboard();

/** Letters for pastures, in the order of the landscape. `m` and what follows means something else. */
export const LETTERS = "abcdefghijkl";

/**
 * The key if it is meant for the table; null in inputs and dialogs, for the browser's own shortcuts, and for characters that
 * are switched off.
 */
export function tableKey(event: KeyboardEvent): string | null {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
    const target = event.target as Element;
    if (target.closest("input, select, textarea, summary") !== null) return null;
    if (document.querySelector("dialog[open]") !== null) return null;
    const pressed = event.key === "Enter" || event.key === " ";
    if (pressed && target.closest("button, a") !== null) return null;
    const named = event.key.length > 1;
    if (!named && !keyboard.on) return null;
    keyboard.used = keyboard.on;
    return named ? event.key : event.key.toLowerCase();
}
