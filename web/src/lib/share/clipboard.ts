/** Copying, and what to do where a browser doesn't let a page copy. */

/** Puts a text on the clipboard; false where the browser refuses, or knows no clipboard: then a reader has to copy it. */
export async function copyText(text: string): Promise<boolean> {
    try {
        // Without HTTPS there is no `clipboard` at all, whatever its type says.
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}
