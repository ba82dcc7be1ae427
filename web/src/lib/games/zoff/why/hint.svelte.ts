/** A hint for the decision that is asked: what the coach would consider. One for each decision; the server makes it. */
import { answerOf, Refusal, restOnce } from "$lib/api/client";
import type { Schemas } from "$lib/api/types";

export type HintCandidate = Schemas["HintCandidate"];

export class HintClient {
    found = $state.raw<readonly HintCandidate[]>([]);
    thinking = $state(false);
    /** The server's error code; empty when there is none. */
    problem = $state("");
    #decision: string | null = null;

    /** Asks for a hint about a decision; the answer to an earlier one is forgotten. */
    async ask(table: string, decision: string): Promise<void> {
        if (this.#decision === decision && (this.thinking || this.found.length > 0)) return;
        this.#decision = decision;
        this.found = [];
        this.problem = "";
        this.thinking = true;
        const [found, problem] = await answerOf(restOnce.POST("/api/hints", { body: { table } }))
            .then((hint) => [hint.decision === decision ? hint.candidates : [], ""] as const)
            .catch((error: unknown) => {
                const code = error instanceof Refusal ? error.problem.error : "away";
                return [[], code] as const;
            });
        if (this.#decision !== decision) return;
        this.thinking = false;
        this.found = found;
        this.problem = found.length === 0 && problem === "" ? "wrong_phase" : problem;
    }
}
