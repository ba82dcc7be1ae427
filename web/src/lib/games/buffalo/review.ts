/** The review of a game of Buffalo in words. */
import { has, t } from "$lib/i18n/index.svelte";
import type { ReviewTexts } from "../gameClient";
import { remarks } from "./analysis/remarks";
import { moveName } from "./board/plies";
import SeatSide from "./SeatSide.svelte";
import { certificateAddress } from "./solved/address";

const FILLS = ["var(--earth)", "var(--river)"];

const texts: ReviewTexts = {
    action: (action) => moveName(String(action)),
    Mark: SeatSide,
    reason: (reason) => {
        const key = `review.reason.${reason.code}`;
        const side = reason.values["side"];
        const count = Number(reason.values["count"] ?? 0);
        const named = side === undefined ? {} : { side: t(`analysis.side.${side}`) };
        const move = reason.values["move"];
        const moved = move === undefined ? {} : { move: moveName(move) };
        if (has(key) || has(`${key}_other`))
            return t(key, { ...reason.values, count, ...named, ...moved });
        return remarks([reason])[0] ?? reason.text;
    },
    place: (name) => name,
    fill: (_, seat) => FILLS[seat] ?? "var(--ink)",
    positionBefore: (_, turn) => turn,
    turnAt: (_, at) => at,
    compact: true,
    PlaceMark: null,
    Cost: null,
    proofAddress: certificateAddress,
    loadExercise: () => import("./analysis/MoveExercise.svelte"),
};

export default texts;
