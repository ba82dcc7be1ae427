/** Zoff in Buffalo: what the pages need of it. */
import { t } from "$lib/i18n/index.svelte";
import type { GameClient, KeyGroup } from "../gameClient";
import ZoffPicture from "./ZoffPicture.svelte";

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
            ],
        },
        { title: t("keys.zoff.placing"), lines: [[["0", "…", "5"], t("keys.zoff.number")]] },
        {
            title: t("keys.zoff.watching"),
            lines: [
                [["←", "→"], t("keys.zoff.step")],
                [[key("space")], t("keys.zoff.play")],
                [[key("end")], t("keys.zoff.skip")],
            ],
        },
    ];
}

export const zoff: GameClient = {
    shortTitle: "Zoff",
    Picture: ZoffPicture,
    loadTable: () => import("./ZoffTable.svelte"),
    loadReplay: () => import("./ZoffReplay.svelte"),
    replayLength: async (replay) => (await import("./story/replay")).stepsOf(replay).length,
    replayWeight: 1.6,
    usualPlayers: 4,
    side: (name) => ({ name, choice: name }),
    showsPlayers: true,
    keys,
    leaderboardName: ({ players }) => t("leaders.zoff", { players }),
};
