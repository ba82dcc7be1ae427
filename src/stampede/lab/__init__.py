"""Research: playing many games by program and looking at them together."""

from stampede.lab.simulate import (
    SimulatedGame,
    SimulationPlan,
    Summary,
    read_game,
    seed_for,
    simulate,
    simulation_job,
)

__all__ = [
    "SimulatedGame",
    "SimulationPlan",
    "Summary",
    "read_game",
    "seed_for",
    "simulate",
    "simulation_job",
]
