/** Small sounds, made by the browser itself; off until switched on. */
const STORED = "stampede.sound";

class Sound {
    on = $state(localStorage.getItem(STORED) === "on");

    toggle(): void {
        this.on = !this.on;
        localStorage.setItem(STORED, this.on ? "on" : "off");
        if (this.on) play("move");
    }
}

export const sound = new Sound();

let context: AudioContext | undefined;

const NOTES: Record<string, [frequency: number, seconds: number][]> = {
    move: [[190, 0.09]],
    capture: [
        [150, 0.1],
        [90, 0.16],
    ],
    bonus: [
        [520, 0.08],
        [780, 0.14],
    ],
    turn: [
        [440, 0.09],
        [590, 0.12],
    ],
};

export function play(name: keyof typeof NOTES & string): void {
    if (!sound.on || !("AudioContext" in window)) return;
    context ??= new AudioContext();
    let start = context.currentTime;
    for (const [frequency, seconds] of NOTES[name] ?? []) {
        const tone = context.createOscillator();
        const volume = context.createGain();
        tone.type = "triangle";
        tone.frequency.value = frequency;
        volume.gain.setValueAtTime(0.12, start);
        volume.gain.exponentialRampToValueAtTime(0.001, start + seconds);
        tone.connect(volume).connect(context.destination);
        tone.start(start);
        tone.stop(start + seconds);
        start += seconds;
    }
}
