import { afterEach, expect, test } from "vitest";
import { keyboard, tableKey } from "./keyboard.svelte";

afterEach(() => keyboard.turn(true));

function pressed(key: string): string | null {
    let found: string | null = null;
    const listen = (event: KeyboardEvent) => (found = tableKey(event));
    document.body.addEventListener("keydown", listen, { once: true });
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key }));
    return found;
}

test("shortcuts of one character can be switched off, and stay so on the device (WCAG 2.1.4)", () => {
    expect([pressed("N"), pressed("?"), pressed("ArrowLeft")]).toEqual(["n", "?", "ArrowLeft"]);
    expect(keyboard.used).toBe(true);
    keyboard.turn(false);
    expect([pressed("N"), pressed("?"), pressed("1"), pressed(" ")]).toEqual([
        null,
        null,
        null,
        null,
    ]);
    expect([pressed("ArrowLeft"), pressed("Enter")]).toEqual(["ArrowLeft", "Enter"]);
    expect(keyboard.used).toBe(false);
    expect(localStorage.getItem("stampede.keys")).toBe("off");
});
