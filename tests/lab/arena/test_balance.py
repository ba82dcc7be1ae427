"""Balanced openings: what self-play says of them."""

from collections.abc import Sequence

import pytest

from stampede.buffalo import Position, Side
from stampede.lab.arena.balance import SelfPlay
from stampede.lab.arena.openings import tuning_openings

CROSSES = Position.from_fen("11/11/11/11/b10/2DDCDD4/11 b - - 0 1")
"""The only buffalo can't be stopped."""


class _Told(SelfPlay):
    """Self-play whose winners are given."""

    def __init__(self, winners: str) -> None:
        super().__init__(range(len(winners)), entries=1)
        self.winners = winners
        self.played = 0

    def winner(self, opening: Position, nodes: int) -> Side:
        del opening
        self.played += 1
        return Side("BH".index(self.winners[nodes]))


def _winners(opening: Position, budgets: Sequence[int]) -> list[Side]:
    games = SelfPlay(budgets, entries=1 << 14)
    return [games.winner(opening, nodes) for nodes in budgets]


def test_an_opening_that_is_decided_is_not_balanced() -> None:
    assert _winners(CROSSES, [100]) == [Side.BUFFALO]
    assert not SelfPlay([50, 100], entries=1 << 10).is_balanced(CROSSES, 1)


def test_a_budget_gives_the_same_game_again_whatever_was_played_before() -> None:
    opening = tuning_openings()[0]
    assert _winners(opening, [400, 300, 200])[::-1] == _winners(opening, [200, 300, 400])


@pytest.mark.parametrize(
    ("winners", "least", "is_balanced", "games"),
    [
        ("BHBHBH", 3, True, 6),
        ("BBBB", 1, False, 4),
        ("HHHHBB", 3, False, 4),
        ("HHBBHH", 2, True, 6),
        ("HHBBHHH", 3, False, 7),
        ("HH", 0, True, 2),
    ],
)
def test_each_side_has_to_win_some_games(
    winners: str, least: int, is_balanced: bool, games: int
) -> None:
    told = _Told(winners)
    assert told.is_balanced(CROSSES, least) is is_balanced
    assert told.played == games
