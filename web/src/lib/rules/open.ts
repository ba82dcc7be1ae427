/** Opens a clause in a dialog above the page, whatever the page is. What it needs is loaded at the first time. */
import { mount, unmount } from "svelte";

export async function openClause(id: string): Promise<void> {
    const opener = document.activeElement;
    const { default: ClauseDialog } = await import("./ClauseDialog.svelte");
    const dialog = mount(ClauseDialog, {
        target: document.body,
        props: {
            id,
            onclose: () => {
                void unmount(dialog);
                if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
            },
        },
    });
}
