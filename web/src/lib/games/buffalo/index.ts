/** Buffalo: what the pages need of it. */
import type { Leaderboard } from "$lib/api/types";
import { t } from "$lib/i18n/index.svelte";
import type { GameClient, KeyGroup } from "../gameClient";
import { SIDES } from "./view";

const key = (name: string) => t(`keys.name.${name}`);

function keys(): KeyGroup[] {
    return [
        {
            title: t("keys.buffalo.moving"),
            lines: [
                [["B"], t("keys.buffalo.board")],
                [["←", "→", "↑", "↓"], t("keys.buffalo.cursor")],
                [[key("enter")], t("keys.buffalo.choose")],
                [[key("escape")], t("keys.buffalo.cancel")],
            ],
        },
        {
            title: t("keys.buffalo.looking"),
            lines: [
                [["←", "→"], t("keys.buffalo.step")],
                [[key("home"), key("end")], t("keys.buffalo.ends")],
                [["F"], t("keys.buffalo.turn")],
                [["H"], t("keys.buffalo.hint")],
                [["W"], t("keys.buffalo.why")],
            ],
        },
    ];
}

function leaderboardName({ side, rung }: Leaderboard): string {
    const name = t(`leaders.buffalo.${side ?? "buffalo"}`);
    if (!rung) return name;
    return t("leaders.rung", { name, rung: rung > 0 ? `+${rung}` : `${rung}` });
}

/** From the edges inwards: there the dogs have the longest way. */
const OUTERMOST = "akbjcidheg";

/** One buffalo fewer for the hunter, one more opening step for the buffalo side (B4.2, B4.3). */
function easierRules(rules: Record<string, unknown>, seat: number): Record<string, unknown> | null {
    const removed = Array.isArray(rules["removed"]) ? rules["removed"].map(String) : [];
    if (SIDES[seat] === "hunter") {
        const next = [...OUTERMOST].find((file) => !removed.includes(file));
        return next ? { removed: [...removed, next].sort() } : null;
    }
    const steps = Number(rules["opening_moves"] ?? 1) + 1;
    return steps + removed.length <= OUTERMOST.length + 1 ? { opening_moves: steps } : null;
}

export const buffalo: GameClient = {
    shortTitle: "Buffalo",
    puzzles: "/puzzles",
    loadScene: () => import("./BuffaloScene.svelte"),
    loadMini: () => import("./BuffaloMini.svelte"),
    loadSideIcon: () => import("./SideIcon.svelte"),
    loadSeatFigure: () => import("./SeatFigure.svelte"),
    loadTable: () => import("./BuffaloTable.svelte"),
    loadReplay: () => import("./BuffaloReplay.svelte"),
    loadAnalysis: () => import("./analysis/BuffaloAnalysis.svelte"),
    setsUp: true,
    loadReviewTexts: () => import("./review"),
    clauseLetter: "B",
    loadRulePicture: () => import("./RulePicture.svelte"),
    rulePictureHeight: () => "min(21rem, 65vw)",
    loadCoach: () => import("./coach"),
    loadLesson: () => import("./lesson/BuffaloLesson.svelte"),
    replayLength: async (replay) => replay.steps.length,
    replayAction: async (replay, at) => Math.min(at, replay.steps.length),
    replayWeight: 1,
    usualPlayers: 2,
    side: (name) => ({ name: t(`buffalo.side.${name}`), choice: t(`create.sides.${name}`) }),
    colour: (name) => name,
    offersColours: () => false,
    role: ({ players }, player) => {
        const side = SIDES[players[player]?.seat ?? -1];
        return side ? { text: t(`buffalo.side.${side}`) } : null;
    },
    scores: () => null,
    easierRules,
    showsPlayers: true,
    keys,
    leaderboardName,
};
