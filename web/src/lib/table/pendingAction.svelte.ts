/** An action that was sent and isn't acknowledged: it blocks the decision that it answers, and no later one. */
import type { TableView } from "$lib/api/types";

export class PendingAction {
    #sent = $state<string | null>(null);

    /** Whether the decision that is shown has been answered, but the answer isn't acknowledged. */
    blocks(view: TableView): boolean {
        return this.#sent !== null && this.#sent === this.#decisionOf(view);
    }

    /** Sends an answer to the decision that is shown, unless one is pending. */
    async send(view: TableView, work: () => Promise<unknown>): Promise<void> {
        if (this.blocks(view)) return;
        const sent = this.#decisionOf(view);
        this.#sent = sent;
        await work();
        if (this.#sent === sent) this.#sent = null;
    }

    #decisionOf(view: TableView): string {
        return view.decision?.id ?? "";
    }
}
