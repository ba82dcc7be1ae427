/**
 * The sounds of the tables: wood, hooves, a moo, a gate, a card; small files that `scripts/sounds.py` makes.
 *
 * `play("gate")` plays one, unless the player has muted them. Phones are mute until asked.
 */
const STORED = "stampede.sound";
const STORED_VOLUME = "stampede.volume";
const USUAL_VOLUME = 0.6;

const SOUNDS = ["card", "gate", "hooves", "moo", "wood"] as const;
/** Moments that several games have, and what they sound like. */
const MOMENTS = {
    move: "hooves",
    capture: "moo",
    bonus: "gate",
    turn: "wood",
    place: "wood",
    reveal: "card",
    win: "moo",
} as const satisfies Record<string, (typeof SOUNDS)[number]>;

export type SoundName = (typeof SOUNDS)[number] | keyof typeof MOMENTS;

const isPhone = (): boolean =>
    typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches;

class Sound {
    on = $state((localStorage.getItem(STORED) ?? (isPhone() ? "off" : "on")) === "on");
    /** From 0 to 1. */
    volume = $state(Number(localStorage.getItem(STORED_VOLUME) ?? USUAL_VOLUME));

    toggle(): void {
        this.on = !this.on;
        localStorage.setItem(STORED, this.on ? "on" : "off");
        if (this.on) play("wood");
    }

    setVolume(volume: number): void {
        this.volume = Math.min(1, Math.max(0, volume));
        localStorage.setItem(STORED_VOLUME, String(this.volume));
        play("wood");
    }
}

export const sound = new Sound();

let context: AudioContext | undefined;
const loaded = new Map<string, Promise<AudioBuffer>>();

async function load(name: string, into: AudioContext): Promise<AudioBuffer> {
    const answer = await fetch(`/sounds/${name}.wav`);
    if (!answer.ok) throw new Error(`expected the sound ${name}, got ${answer.status}`);
    return into.decodeAudioData(await answer.arrayBuffer());
}

/** Plays a sound, if sounds are on. It never fails: a table without sounds is still a table. */
export function play(name: SoundName): void {
    if (!sound.on || sound.volume === 0 || !("AudioContext" in window)) return;
    void start(name in MOMENTS ? MOMENTS[name as keyof typeof MOMENTS] : name);
}

async function start(name: string): Promise<void> {
    try {
        context ??= new AudioContext();
        const output = context;
        // Browsers keep sounds back until the first touch; what happened before it stays silent.
        if (output.state !== "running" && !navigator.userActivation?.hasBeenActive) return;
        if (output.state !== "running") await output.resume();
        if (!loaded.has(name)) loaded.set(name, load(name, output));
        const buffer = await loaded.get(name);
        if (!buffer) return;
        const source = output.createBufferSource();
        const gain = output.createGain();
        source.buffer = buffer;
        gain.gain.value = sound.volume;
        source.connect(gain).connect(output.destination);
        source.start();
    } catch {
        loaded.delete(name);
    }
}
