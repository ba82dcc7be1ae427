"""Makes the sounds of the tables: wood, hooves, a moo, a gate, a card. The files are kept in web/public/sounds.

Run by `python scripts/sounds.py`. Sounds are computed from oscillators and seeded noise: the same script makes the
same files. They are 8-bit PCM: small, and every browser plays them.
"""

from __future__ import annotations

import sys
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

RATE: Final = 16_000
SEED: Final = 1975
FOLDER: Final = Path(__file__).resolve().parent.parent / "web" / "public" / "sounds"

Wave = npt.NDArray[np.float64]


def _time(seconds: float) -> Wave:
    return np.arange(int(seconds * RATE)) / RATE


def _band(noise: Wave, low: float, high: float) -> Wave:
    """Keeps the part of a noise between two frequencies."""
    spectrum = np.fft.rfft(noise)
    frequencies = np.fft.rfftfreq(len(noise), 1 / RATE)
    spectrum[(frequencies < low) | (frequencies > high)] = 0
    return np.fft.irfft(spectrum, len(noise))


def _add(onto: Wave, sound: Wave, at: float) -> None:
    start = int(at * RATE)
    part = sound[: max(0, len(onto) - start)]
    onto[start : start + len(part)] += part


def knock(rng: np.random.Generator, pitch: float = 1.0, seconds: float = 0.14) -> Wave:
    """A block of wood: three damped modes, and the click of the touch."""
    t = _time(seconds)
    modes = ((410, 1.0, 42), (905, 0.6, 60), (1730, 0.3, 95))
    body = sum(a * np.sin(2 * np.pi * f * pitch * t) * np.exp(-d * t) for f, a, d in modes)
    click = _band(rng.standard_normal(len(t)), 1500, 6000) * np.exp(-400 * t)
    return np.asarray(body + 0.5 * click)


def wood(rng: np.random.Generator) -> Wave:
    """A piece is put down."""
    return knock(rng)


def hooves(rng: np.random.Generator) -> Wave:
    """A short gallop on grass: four beats, two and two."""
    out = np.zeros(int(0.46 * RATE))
    for at, loud in ((0.0, 0.8), (0.09, 1.0), (0.23, 0.75), (0.31, 0.9)):
        t = _time(0.13)
        thud = np.sin(2 * np.pi * (62 * t + 2.2 * (1 - np.exp(-34 * t)))) * np.exp(-30 * t)
        grass = _band(rng.standard_normal(len(t)), 300, 1600) * np.exp(-55 * t)
        _add(out, loud * (thud + 0.35 * grass), at)
    return out


def moo(rng: np.random.Generator) -> Wave:
    """A buffalo: a low voice whose mouth opens and closes."""
    t = _time(0.85)
    pitch = 96 + 26 * np.sin(np.pi * np.minimum(t / 0.6, 1)) - 14 * (t / 0.85) ** 2
    phase = 2 * np.pi * np.cumsum(pitch + 1.5 * np.sin(2 * np.pi * 5.5 * t)) / RATE
    mouth = 260 + 420 * np.sin(np.pi * np.minimum(t / 0.7, 1)) ** 2
    voice = np.zeros_like(t)
    for harmonic in range(1, 22):
        formant = np.exp(-(((harmonic * pitch - mouth) / 210) ** 2)) + 0.25 * np.exp(
            -(((harmonic * pitch - 1150) / 380) ** 2)
        )
        voice += (formant + 0.08) / harmonic**0.45 * np.sin(harmonic * phase)
    breath = _band(rng.standard_normal(len(t)), 200, 1200) * 0.06
    envelope = np.minimum(t / 0.09, 1) * np.minimum((0.85 - t) / 0.28, 1)
    return np.asarray((voice + breath) * envelope)


def gate(rng: np.random.Generator) -> Wave:
    """A gate: the hinge creaks, then the latch falls."""
    out = np.zeros(int(0.36 * RATE))
    t = _time(0.18)
    creak = np.sign(np.sin(2 * np.pi * (48 * t + 120 * t**2))) * np.sin(
        2 * np.pi * (520 + 900 * t) * t
    )
    _add(out, 0.18 * creak * np.sin(np.pi * t / 0.18), 0)
    _add(out, knock(rng, 0.62, 0.17), 0.17)
    _add(out, 0.5 * knock(rng, 0.9, 0.1), 0.23)
    return out


def card(rng: np.random.Generator) -> Wave:
    """A card is turned over: a swish, and a soft touch."""
    out = np.zeros(int(0.15 * RATE))
    t = _time(0.1)
    swish = _band(rng.standard_normal(len(t)), 1800, 6500) * np.sin(np.pi * t / 0.1) ** 2
    _add(out, 0.5 * swish, 0)
    _add(out, 0.5 * knock(rng, 1.5, 0.06), 0.085)
    return out


SOUNDS: Final[dict[str, Callable[[np.random.Generator], Wave]]] = {
    "card": card,
    "gate": gate,
    "hooves": hooves,
    "moo": moo,
    "wood": wood,
}


def encode(sound: Wave) -> bytes:
    """Eight-bit samples; the error of each is carried into the next, so that quiet ends stay clean."""
    sound = sound / np.max(np.abs(sound)) * 0.9
    fade = min(len(sound), RATE // 100)
    sound[-fade:] *= np.linspace(1, 0, fade)
    samples = bytearray()
    carried = 0.0
    for value in sound * 127 + 128:
        wanted = float(value) + carried
        sample = min(255, max(0, round(wanted)))
        carried = wanted - sample
        samples.append(sample)
    return bytes(samples)


def make(name: str) -> bytes:
    """The samples of a sound."""
    return encode(SOUNDS[name](np.random.default_rng(SEED)))


def main() -> None:
    """Writes all sounds."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name in SOUNDS:
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(1)
            file.setframerate(RATE)
            file.writeframes(make(name))


if __name__ == "__main__":
    main()
