"""The plain evaluation is the compiled one, number by number."""

from __future__ import annotations

import random

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import KEY
from stampede.search.buffalo.evaluate import evaluate
from stampede.search.buffalo.plain import evaluate_plainly
from stampede.search.buffalo.weights import shipped_weights
from stampede.search.buffalo.workspace import new_workspace


def test_both_evaluations_agree_in_whole_random_games() -> None:
    space = new_workspace(shipped_weights().sums)
    rng = random.Random(4)
    for _ in range(20):
        position = Position.start()
        while not position.is_over:
            compiled = int(evaluate(space, new_board(position)[KEY]))
            sign = 1 if position.turn is Side.BUFFALO else -1
            assert sign * compiled == evaluate_plainly(position), position
            position = position.play(position.legal_moves.sample(rng))
