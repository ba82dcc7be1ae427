/** Brings a part of the page into view and moves the focus there. */
export async function jumpTo(target: HTMLElement | null): Promise<void> {
    if (!target) return;
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
    const place = scrollY;
    // Until the fonts are there, texts above wrap otherwise and are higher.
    await document.fonts.ready;
    if (scrollY === place) target.scrollIntoView({ block: "start" });
}
