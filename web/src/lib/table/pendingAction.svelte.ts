/**
 * An optimistic update: an action that was sent and isn't in the view yet.
 *
 * It blocks the decision that it answers, and no later one. A game shows what was answered as if it stood; it goes when
 * the view that holds it arrives, or at once when the server refuses.
 */
import type { TableView } from "$lib/api/types";

type Sent<Answer> = {
    decision: string;
    /** The view's number when it was sent. */
    seq: number;
    answer: Answer | null;
    accepted: boolean;
};

export class PendingAction<Answer = unknown> {
    #sent = $state.raw<Sent<Answer> | null>(null);

    /** Whether the decision that is shown has been answered, but the view doesn't know of it. */
    blocks(view: TableView): boolean {
        const sent = this.#sent;
        if (sent === null || sent.decision !== decisionOf(view)) return false;
        return !sent.accepted || view.seq <= sent.seq;
    }

    /** What was answered to the decision that is shown and isn't in the view yet. */
    answer(view: TableView): Answer | null {
        return this.blocks(view) ? (this.#sent?.answer ?? null) : null;
    }

    /** Sends an answer to the decision that is shown, unless one is pending. `work` resolves to false when it is refused. */
    async send(
        view: TableView,
        work: () => Promise<unknown>,
        answer: Answer | null = null,
    ): Promise<void> {
        if (this.blocks(view)) return;
        const sent = { decision: decisionOf(view), seq: view.seq, answer, accepted: false };
        this.#sent = sent;
        const accepted = (await work()) !== false;
        if (this.#sent === sent) this.#sent = accepted ? { ...sent, accepted } : null;
    }
}

/** A decision as one player has it: on a shared device the next player answers the same one. */
const decisionOf = (view: TableView): string => `${view.you}/${view.decision?.id ?? ""}`;
