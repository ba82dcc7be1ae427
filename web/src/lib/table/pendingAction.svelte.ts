/** An answer on its way: it holds up the decision that it answers, and none that comes after it. */
import type { TableView } from "$lib/api/types";

export class PendingAction {
    #sent = $state<string | null>(null);

    /** Whether the decision that is shown has been answered, and the server hasn't said yet that it knows. */
    blocks(view: TableView): boolean {
        return this.#sent !== null && this.#sent === this.#asked(view);
    }

    /** Sends an answer to the decision that is shown, unless one is on its way. */
    async send(view: TableView, work: () => Promise<unknown>): Promise<void> {
        if (this.blocks(view)) return;
        const sent = this.#asked(view);
        this.#sent = sent;
        await work();
        if (this.#sent === sent) this.#sent = null;
    }

    #asked(view: TableView): string {
        return view.decision?.id ?? "";
    }
}
