/** Zoff in Buffalo: what the pages need of it. */
import { list, t } from "$lib/i18n/index.svelte";
import type { GameClient, KeyGroup } from "../gameClient";
import { zoffView } from "./view";

const key = (name: string) => t(`keys.name.${name}`);

function keys(): KeyGroup[] {
    return [
        {
            title: t("keys.zoff.choosing"),
            lines: [
                [["A", "…", "L"], t("keys.zoff.pasture")],
                [["2", "…", "5"], t("keys.zoff.card")],
                [["↑", "↓"], t("keys.zoff.slot")],
                [[key("back")], t("keys.zoff.clear")],
                [[key("enter")], t("keys.zoff.seal")],
                [["T"], t("keys.zoff.hint")],
            ],
        },
        { title: t("keys.zoff.placing"), lines: [[["0", "…", "5"], t("keys.zoff.number")]] },
        {
            title: t("keys.zoff.watching"),
            lines: [
                [["←", "→"], t("keys.zoff.step")],
                [[key("space")], t("keys.zoff.play")],
                [[key("end")], t("keys.zoff.skip")],
                [["W"], t("keys.zoff.why")],
            ],
        },
    ];
}

export const zoff: GameClient = {
    shortTitle: "Zoff",
    puzzles: "/puzzles/zoff",
    loadScene: () => import("./ZoffScene.svelte"),
    loadMini: () => import("./ZoffMini.svelte"),
    loadSideIcon: null,
    loadSeatFigure: () => import("./SeatFigure.svelte"),
    loadTable: () => import("./ZoffTable.svelte"),
    loadReplay: () => import("./ZoffReplay.svelte"),
    loadAnalysis: () => import("./analysis/ZoffAnalysis.svelte"),
    setsUp: false,
    loadReviewTexts: () => import("./review"),
    clauseLetter: "Z",
    loadRulePicture: () => import("./RulePicture.svelte"),
    rulePictureHeight: (scene) =>
        scene.kind === "pastures" && scene.pastures.length === 1 ? "15.5rem" : "34rem",
    loadCoach: () => import("./coach"),
    loadLesson: () => import("./lesson/ZoffLesson.svelte"),
    replayLength: async (replay) => (await import("./story/replay")).stepsOf(replay).length,
    replayAction: async (replay, at) => (await import("./story/replay")).actionsAt(replay, at),
    replayWeight: 1.6,
    usualPlayers: 4,
    side: (name) => ({ name, choice: name }),
    colour: (name) => t(`zoff.colour.${name}`),
    offersColours: ({ auction }) => !auction, // there they are bought
    role: (view, player) => {
        const colours = zoffView(view)?.seats[view.players[player]?.seat ?? -1]?.colours ?? [];
        const [first] = colours;
        if (first === undefined) return null;
        const text = list(colours.map((colour) => t(`zoff.colour.${colour}`)));
        return { text, fill: `var(--${first})`, ink: `var(--${first}-ink)` };
    },
    scores: (view) => zoffView(view)?.result?.scores ?? null,
    easierRules: () => null, // gentler bots are the only way
    showsPlayers: true,
    keys,
    leaderboardName: ({ players }) => t("leaders.zoff", { players }),
};
