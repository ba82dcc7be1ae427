/** Playback of a game: steps, playing at a chosen speed, jumps. */

/** Milliseconds a step, by name. */
export const SPEEDS = { "½×": 2400, "1×": 1200, "2×": 600, "4×": 300 };
export type Speed = keyof typeof SPEEDS;

const STORED = "stampede.replay.speed";

function storedSpeed(): Speed {
    const stored = localStorage.getItem(STORED);
    return stored !== null && stored in SPEEDS ? (stored as Speed) : "1×";
}

export class Playback {
    /** How many steps are shown. */
    at = $state(0);
    last = $state(0);
    playing = $state(false);
    /** Whether a step was asked for since the game was opened. */
    moved = $state(false);
    speed = $state<Speed>(storedSpeed());
    /** How long a step of this game stays, compared with others. */
    weight = 1;

    #timer: ReturnType<typeof setTimeout> | undefined;

    /** Begins with a game of so many steps. */
    begin(last: number, at = 0, weight = 1): void {
        this.pause();
        this.last = last;
        this.moved = false;
        this.at = Math.min(Math.max(at, 0), last);
        this.weight = weight;
    }

    /** Jumps to a step and stops playing. */
    jump(at: number): void {
        this.pause();
        this.at = Math.min(Math.max(at, 0), this.last);
        this.moved = true;
    }

    forward(): void {
        this.jump(this.at + 1);
    }

    back(): void {
        this.jump(this.at - 1);
    }

    toggle(): void {
        if (this.playing) {
            this.pause();
            return;
        }
        if (this.at >= this.last) this.at = 0;
        this.playing = true;
        this.moved = true;
        this.#wait();
    }

    pause(): void {
        this.playing = false;
        clearTimeout(this.#timer);
    }

    choose(speed: Speed): void {
        this.speed = speed;
        localStorage.setItem(STORED, speed);
        if (this.playing) this.#wait();
    }

    /** Handles a key; false when it has no meaning here. */
    key(key: string): boolean {
        const answers: Record<string, () => void> = {
            ArrowLeft: () => this.back(),
            ArrowRight: () => this.forward(),
            Home: () => this.jump(0),
            End: () => this.jump(this.last),
            " ": () => this.toggle(),
        };
        const answer = answers[key];
        answer?.();
        return answer !== undefined;
    }

    #wait(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            this.at = Math.min(this.at + 1, this.last);
            if (this.at < this.last) this.#wait();
            else this.pause();
        }, SPEEDS[this.speed] * this.weight);
    }
}
