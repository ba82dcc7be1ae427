"""A fault at every await: a sample of them; `python -m simulation --every-await` tries all."""

import pytest

from simulation.every_await import draw_game, find_strikes, play

SAMPLE = 8
"""How many faults are tried here."""


@pytest.mark.parametrize("game", [2])
def test_no_single_fault_violates_anything(game: int) -> None:
    plan = draw_game(game)
    strikes = find_strikes(plan)
    assert {strike.kind for strike in strikes} == {"append", "read", "send", "lock"}
    for strike in strikes[:: max(1, len(strikes) // SAMPLE)]:
        assert play(plan, strike).violations == (), strike
