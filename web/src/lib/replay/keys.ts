/** Keys that step through a game. */

/**
 * Gives a key to the page, unless the focused element uses it itself; what the page has a meaning for goes no further.
 *
 * @param press - Handles a key; false when it has no meaning there.
 */
export function stepByKey(event: KeyboardEvent, press: (event: KeyboardEvent) => boolean): void {
    const target = event.target as Element;
    const own = target.closest("input, select, textarea, dialog") !== null;
    const pressed = event.key === " " && target.closest("button, a, summary") !== null;
    if (own || pressed || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
}
