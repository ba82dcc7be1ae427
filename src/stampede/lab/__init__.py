"""Research: playing many games by program and looking at them together."""

from stampede.lab.simulate import SimulatedGame, Simulation, Summary, seed_for, simulate

__all__ = ["SimulatedGame", "Simulation", "Summary", "seed_for", "simulate"]
