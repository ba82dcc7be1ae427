/** What a lesson needs of a game: a component that shows a step and asks for an answer. */
import type { Snippet } from "svelte";
import type { LessonStep, LessonTry } from "$lib/api/types";

/** What an answer leads to, in words: the rules' own reason, what happens one after another, and the other side's reply. */
export type Telling = {
    reason: string;
    lines: { text: string; why: string[] }[];
    reply: string;
};

export type StageProps = {
    step: LessonStep;
    /** The answer that is shown; null while one is asked for. */
    answer: LessonTry | null;
    /** Answers that were tried and aren't right. */
    missed: readonly LessonTry[];
    onanswer: (answer: LessonTry) => void;
    /** What stands beside the board: the idea, or what an answer leads to. */
    side: Snippet<[Telling]>;
};
