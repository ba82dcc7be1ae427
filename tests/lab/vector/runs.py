"""Runs of vector environments with random actions, byte for byte."""

from __future__ import annotations

from stampede.kernels.rng import new_rng
from stampede.lab.vector import VectorGames

__all__ = ["run_at_random"]


def run_at_random(games: VectorGames, steps: int) -> list[bytes]:
    """Plays so many steps; returns all that each of them showed, and ends the threads."""
    rng, seen = new_rng(3), []
    for _ in range(steps):
        observation, reward, terminated, _, info = games.step(games.sample(rng))
        arrays = [*observation.values(), reward, terminated, info["illegal"]]
        seen.append(b"".join(array.tobytes() for array in arrays))
    games.close()
    return seen
