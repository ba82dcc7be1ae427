"""Baselines for research: a small, readable PPO in NumPy that learns both games on the vector environments."""

from __future__ import annotations

from stampede.lab.baselines.player import LearnedBot, measure
from stampede.lab.baselines.training import (
    Learned,
    Progress,
    Trainer,
    TrainingPlan,
    read_learned,
)

__all__ = [
    "Learned",
    "LearnedBot",
    "Progress",
    "Trainer",
    "TrainingPlan",
    "measure",
    "read_learned",
]
