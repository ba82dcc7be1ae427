/** Where a reader of a review looks: the step that is shown, and the decision that belongs to it. */
import type { Replay, ReviewedDecision } from "$lib/api/types";
import type { ReviewTexts } from "$lib/games/gameClient";
import type { Playback } from "$lib/replay/playback.svelte";

type Places = Pick<ReviewTexts, "positionBefore" | "turnAt">;

export class Selection {
    /** Of decisions that were sealed together: the one that was asked for last. */
    #picked = $state<number | null>(null);
    #replay = $state.raw<Replay | null>(null);
    #places = $state.raw<Places | null>(null);
    #playback: Playback;
    #review: { readonly decisions: ReviewedDecision[] };
    /** The seat whose decision is shown first, of those that were sealed together. */
    #reader: () => number;

    /** By action: how many steps are shown before it. */
    readonly #before = $derived.by(() => {
        const [replay, places] = [this.#replay, this.#places];
        if (!replay || !places) return [0];
        return [...replay.steps, null].map((_, turn) => places.positionBefore(replay, turn));
    });

    /** How many actions lead to the step that is shown, its own included: a game that goes on from here has them behind it. */
    readonly turn: number = $derived.by(() =>
        this.#replay && this.#places ? this.#places.turnAt(this.#replay, this.#playback.at) : 0,
    );

    /**
     * The decisions that the step belongs to, in the order of seats: those to be made next, or, between the events of an
     * action, those behind it. There are several where they were sealed together; none before the reader has moved.
     */
    readonly together: ReviewedDecision[] = $derived.by(() => {
        if (!this.#playback.moved) return [];
        const { at } = this.#playback;
        const step = this.#stepBefore(this.turn) === at ? at : this.#stepBefore(this.turn - 1);
        return this.#review.decisions
            .filter(({ turn }) => this.#stepBefore(turn) === step)
            .sort((one, other) => one.seat - other.seat);
    });

    readonly decision: ReviewedDecision | null = $derived.by(
        () =>
            this.together.find(({ turn }) => turn === this.#picked) ??
            this.together.find(({ seat }) => seat === this.#reader()) ??
            this.together[0] ??
            null,
    );

    /** The decision before the step. */
    readonly previous: ReviewedDecision | null = $derived.by(
        () => this.#review.decisions.findLast(({ turn }) => turn < this.turn) ?? null,
    );

    constructor(
        playback: Playback,
        review: { readonly decisions: ReviewedDecision[] },
        reader: () => number = () => 0,
    ) {
        this.#playback = playback;
        this.#review = review;
        this.#reader = reader;
    }

    /** Begins with a game, in which nothing is selected yet. */
    begin(replay: Replay, places: Places): void {
        this.#picked = null;
        this.#places = places;
        this.#replay = replay;
    }

    /** Shows the board as it was before a step, and the decision that it was, if it is known. */
    jump(turn: number): void {
        this.#picked = turn;
        this.#playback.jump(this.#stepBefore(turn));
    }

    /** Goes to the next decision of the game, or to the one before. */
    go(by: 1 | -1): void {
        const found = this.neighbour(by);
        if (found) this.jump(found.turn);
    }

    neighbour(by: 1 | -1): ReviewedDecision | null {
        const here = this.decision?.turn;
        const found =
            by > 0
                ? this.#review.decisions.find(({ turn }) => turn > (here ?? this.turn - 1))
                : this.#review.decisions.findLast(({ turn }) => turn < (here ?? this.turn));
        return found ?? null;
    }

    #stepBefore(turn: number): number {
        return this.#before[turn] ?? this.#before.at(-1) ?? 0;
    }
}
