/** What bots may comment on in Buffalo: captures, and buffaloes that are stopped. */
import type { Occasion } from "$lib/bots/remarks.svelte";
import { SIDES, type BuffaloEvent } from "../view";

const [BUFFALO, HUNTER] = [SIDES.indexOf("buffalo"), SIDES.indexOf("hunter")];

export function occasionsIn(events: readonly BuffaloEvent[]): Occasion[] {
    return events.flatMap(({ kind }): Occasion[] => {
        if (kind === "captured")
            return [
                { code: "took", seat: HUNTER },
                { code: "taken", seat: BUFFALO },
            ];
        return kind === "blocked" ? [{ code: "block", seat: HUNTER }] : [];
    });
}
