/** "Why did it play this?": a bot's move in the engine's words. The position is public, and so is every reason. */
import { answerOf, Refusal, restOnce } from "$lib/api/client";
import type { Analysis } from "$lib/api/types";
import { t } from "$lib/i18n/index.svelte";
import { drawing, type Why, type WhySection } from "$lib/rules/why";
import { moveText, type Ply } from "../board/plies";
import { describeEvent } from "../describe";
import type { BuffaloEvent } from "../view";
import { remarks } from "./remarks";

const TRIES = 3;
const RETRY = 1100;
const LINES = 3;
const SECONDS = 0.5;
/** Where a proof comes from says nothing about the move. */
const SOURCES = ["in_table", "in_certificate"];

export type BotMove = {
    table: string;
    game: number;
    /** The bot's name. */
    bot: string;
    ply: Ply;
    /** How many moves were made with it. */
    number: number;
    /** The position behind it. */
    fen: string;
    /** What the rules say of it. */
    events: readonly BuffaloEvent[];
};

/** The engine's analysis after so many moves; null where it has none, such as at the end. */
async function analyse({ table, game }: BotMove, ply: number): Promise<Analysis | null> {
    for (let tries = 1; ; tries += 1) {
        try {
            const body = { table, game, ply, lines: LINES, seconds: SECONDS };
            return await answerOf(restOnce.POST("/api/analyse", { body }));
        } catch (error) {
            if (error instanceof Refusal && error.status === 409) return null;
            const busy = error instanceof Refusal && [429, 503].includes(error.status);
            if (!busy || tries === TRIES) throw error;
            await new Promise((done) => setTimeout(done, RETRY));
        }
    }
}

function compare(before: Analysis, move: string): string {
    const best = before.lines[0]?.move ?? move;
    if (best === move) return t("why.buffalo.best");
    const known = before.lines.some((line) => line.move === move);
    const values = { best: moveText({ move: best, took: false }) };
    return t(known ? "why.buffalo.good" : "why.buffalo.other", values);
}

async function explain(asked: BotMove): Promise<WhySection[]> {
    const before = await analyse(asked, asked.number - 1);
    const after = await analyse(asked, asked.number);
    const facts = after?.remarks.filter(({ code }) => !SOURCES.includes(code)) ?? [];
    const found: WhySection[] = [
        { title: t("why.buffalo.now"), lines: remarks(facts) },
        { title: t("why.buffalo.engine"), lines: before ? [compare(before, asked.ply.move)] : [] },
    ];
    return found.filter(({ lines }) => lines.length > 0);
}

/** Why a bot has made a move: what the rules say, what it threatens now, and what the engine thinks of it. */
export function whyMove(asked: BotMove): Why {
    const { bot, ply, fen, events } = asked;
    return {
        title: t("why.buffalo.title", { bot, move: moveText(ply) }),
        lines: [...events.map(describeEvent), t(`why.buffalo.rule.${ply.piece}`)],
        more: explain(asked),
        picture: drawing(() => import("../board/MiniBoard.svelte"), { fen, lastMove: ply.move }),
    };
}
