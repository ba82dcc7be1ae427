"""Research: playing many games by program and looking at them together."""

from stampede.lab.simulate import SimulatedGame, Simulation, Summary, read_games, seed_for, simulate

__all__ = ["SimulatedGame", "Simulation", "Summary", "read_games", "seed_for", "simulate"]
