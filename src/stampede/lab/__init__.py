"""Research: playing many games by program and looking at them together."""

from stampede.lab.simulate import PlayedGame, Simulation, Summary, seed_for, simulate

__all__ = ["PlayedGame", "Simulation", "Summary", "seed_for", "simulate"]
