/**
 * The steps of a round: played at a chosen speed, skipped, walked back and forth.
 *
 * It holds the running round, or the last one while the next is being chosen.
 */
import type { Message, TableView } from "$lib/api/types";
import { play as sound } from "$lib/design/sound.svelte";
import {
    eventsOf,
    redactCards,
    sinceReveal,
    withEvents,
    type Step,
    type ZoffEvent,
} from "./events";
import { SPEEDS, weightOf, type Speed } from "./pace";
import { zoffView } from "../view";

export { SPEEDS, type Speed };

const STORED = "stampede.zoff.speed";
const watchedKey = (table: string) => `stampede.zoff.watched.${table}`;
const SOUNDS: Partial<Record<ZoffEvent["kind"], "move" | "capture" | "bonus" | "turn">> = {
    placed: "move",
    filled: "capture",
    bonus_placed: "bonus",
    final_bonus: "bonus",
    revealed: "turn",
};

function storedSpeed(): Speed {
    const stored = localStorage.getItem(STORED);
    return stored !== null && stored in SPEEDS ? (stored as Speed) : "normal";
}

const begins = (message: Message): boolean =>
    message.kind === "start" ||
    (message.kind === "vote" && message.data["on"] === "next" && message.data["done"] === true);

const isReveal = (step: Step): boolean => step.events[0].kind === "revealed";

export class Timeline {
    steps = $state.raw<Step[]>([]);
    /** How many steps are shown. */
    shown = $state(0);
    playing = $state(true);
    speed = $state<Speed>(storedSpeed());

    /** The entries of the log that were actions and stand. */
    #acts: number[] = [];
    #seen: number;
    #number: number;
    #shownAt = 0;
    #open = false;

    constructor(readonly table: string) {
        this.#seen = -1;
        this.#number = -1;
    }

    /** Whether all steps are shown, and so the server's view. */
    get live(): boolean {
        return this.shown >= this.steps.length;
    }

    get step(): Step | undefined {
        return this.steps[this.shown - 1];
    }

    /** Takes an update: a batch of messages with the view that follows. */
    take(messages: Message[], view: TableView): void {
        const first = this.#seen < 0;
        const fresh = first ? [] : messages.filter((message) => message.seq > this.#seen);
        this.#seen = Math.max(this.#seen, view.seq);
        if (view.number !== this.#number && !first) this.#clear();
        this.#number = view.number;
        this.#open = zoffView(view)?.discards != null || view.phase === "over";
        for (const message of fresh) this.#add(message);
        if (this.speed === "instant") this.skip();
    }

    /** Takes the history from before this page was opened, and plays what wasn't watched yet. */
    remember(messages: Message[]): void {
        const last = messages.at(-1)?.seq ?? 0;
        const later = this.steps.filter((step) => step.seq > last);
        const acts = this.#acts.filter((seq) => seq > last);
        this.#clear();
        for (const message of messages) if (message.seq <= this.#seen) this.#add(message);
        this.#acts.push(...acts);
        this.steps = sinceReveal([...this.steps, ...later]);
        const watched = Number(sessionStorage.getItem(watchedKey(this.table)) ?? Infinity);
        this.shown = this.steps.filter((step) => step.seq <= watched).length;
        if (this.speed === "instant") this.skip();
        if (this.live) this.#caughtUp();
    }

    /** Milliseconds until the next step; null when there is none, or while it is paused. */
    wait(now: number): number | null {
        if (!this.playing || this.live) return null;
        const hold = SPEEDS[this.speed] * (this.step ? weightOf(this.step) : 1);
        return Math.max(this.#shownAt === 0 ? 0 : hold - (now - this.#shownAt), 60);
    }

    forward(now: number = Date.now()): void {
        if (this.live) return;
        this.shown += 1;
        this.#shownAt = now;
        const kind = this.step?.events[0].kind;
        const note = kind && SOUNDS[kind];
        if (note) sound(note);
        if (this.step && isReveal(this.step)) this.#trim(this.shown);
        if (this.live) this.#caughtUp();
    }

    back(): void {
        this.playing = false;
        this.shown = Math.max(this.shown - 1, 1);
    }

    jump(shown: number): void {
        this.playing = false;
        this.shown = Math.min(Math.max(shown, 1), this.steps.length);
    }

    /** To the present. */
    skip(): void {
        this.shown = this.steps.length;
        this.playing = true;
        this.#trim(this.shown);
        this.#caughtUp();
    }

    /** Again from the beginning of the round. */
    again(): void {
        this.shown = Math.min(1, this.steps.length);
        this.#shownAt = Date.now();
        this.playing = true;
    }

    toggle(): void {
        if (this.live) this.again();
        else this.playing = !this.playing;
        this.#shownAt = this.playing ? Date.now() : 0;
    }

    choose(speed: Speed): void {
        this.speed = speed;
        localStorage.setItem(STORED, speed);
        if (speed === "instant") this.skip();
    }

    #add(message: Message): void {
        if (begins(message)) this.#clear();
        if (message.kind === "act") this.#acts.push(message.seq);
        const undone = Number(message.data["undone"] ?? 0);
        if (undone > 0) this.#takeBack(undone);
        this.steps = withEvents(this.steps, eventsOf(message), message.seq);
    }

    /** Forgets what the last actions did: they were taken back. */
    #takeBack(actions: number): void {
        const first = this.#acts.splice(-actions)[0] ?? 0;
        this.steps = this.steps.filter((step) => step.seq < first);
        this.shown = Math.min(this.shown, this.steps.length);
        this.#shownAt = 0;
    }

    #clear(): void {
        this.#acts = [];
        this.steps = [];
        this.shown = 0;
        this.#shownAt = 0;
    }

    /** Forgets the rounds before the one that is shown. */
    #trim(shown: number): void {
        const start = this.steps.slice(0, shown).findLastIndex(isReveal);
        if (start <= 0) return;
        this.steps = this.steps.slice(start);
        this.shown = shown - start;
    }

    #caughtUp(): void {
        this.#shownAt = 0;
        sessionStorage.setItem(watchedKey(this.table), String(this.#seen));
        const over = this.steps.at(-1)?.events[0].kind === "round_ended";
        if (over && !this.#open) this.steps = redactCards(this.steps);
    }
}
