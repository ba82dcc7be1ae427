/** What a certificate proves, as a title: which board, who is missing, or who has moved already. */
import type { Schemas } from "$lib/api/types";
import { list, t } from "$lib/i18n/index.svelte";
import { FILES, pieces } from "../board/board";

type Certificate = Pick<Schemas["CertificateAnswer"], "width" | "claims" | "claim">;

const BANK = 7;

export function certificateTitle({ width, claims, claim }: Certificate): string {
    const ranks = new Map<string, number>();
    for (const { kind, square } of pieces(claim))
        if (kind === "buffalo") ranks.set(square[0]!, Number(square[1]));
    if (width < FILES.length) return t("solved.name.board", { count: width });
    if (claims > 1) return t("solved.name.ways", { count: ranks.size, ways: claims });
    const moved = [...ranks.values()].some((rank) => rank !== BANK);
    if (moved) return t("solved.name.moved", { steps: stepsText(ranks) });
    return t("solved.name.without", { files: list([...FILES].filter((file) => !ranks.has(file))) });
}

/** How many steps which buffaloes have made, the most first; if all have moved, those with the fewest are the others. */
function stepsText(ranks: ReadonlyMap<string, number>): string {
    const groups = new Map<number, string[]>();
    for (const [file, rank] of ranks)
        groups.set(BANK - rank, [...(groups.get(BANK - rank) ?? []), file]);
    const all = !groups.delete(0);
    const parts = [...groups].sort(([one], [other]) => other - one);
    const [[count = 0] = []] = parts;
    if (all && parts.length === 1) return t("solved.name.all", { count });
    const texts = parts.map(([steps, files], index) =>
        all && index === parts.length - 1
            ? t("solved.name.rest", { count: steps })
            : t("solved.name.step", { count: steps, files: list(files) }),
    );
    return texts.join(", ");
}
