"""Positions and games for the tests: by chance, by Hypothesis, from the perft tables."""

import random
import tomllib
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from stampede.buffalo import BuffaloGame, BuffaloRules, BuffaloState, Move, Piece, Position, Side
from stampede.buffalo.fen import Placement, write_fen
from stampede.buffalo.geometry import FILES, PRAIRIE, Square
from stampede.core.playthrough import Playthrough

GAME = BuffaloGame()

Played = Playthrough[BuffaloRules, BuffaloState, Move, Position]


class PerftCase(NamedTuple):
    """One row of the perft tables."""

    name: str
    fen: str
    nodes: list[int]


def perft_cases() -> list[PerftCase]:
    """All rows of perft.toml."""
    text = Path(__file__).with_name("perft.toml").read_text(encoding="utf-8")
    return [PerftCase(**row) for row in tomllib.loads(text)["position"]]


def random_line(rng: random.Random, removed: str = "") -> list[Position]:
    """All positions of a random game, the finished one included."""
    line = [Position.start(removed)]
    while moves := line[-1].legal_moves:
        line.append(line[-1].after(moves.sample(rng)))
    return line


def random_game(rng: random.Random, rules: BuffaloRules, steps: int = 1000) -> Played:
    """A random game under the contract, to its end or for this many steps."""
    played = Playthrough(GAME, rules, GAME.draw(rules, rng))
    while len(played.turns) < steps and (seats := GAME.to_act(played.state)):
        played.play(seats[0], GAME.legal(played.state, seats[0]).sample(rng))
    return played


def with_moves(rules: BuffaloRules, moves: str, start: str | None = None) -> Played:
    """A game with these moves, divided by blanks."""
    deal = Position.start(rules.removed) if start is None else Position.from_fen(start)
    played = Playthrough(GAME, rules, deal)
    for text in moves.split():
        played.play(GAME.to_act(played.state)[0], Move.parse(text))
    return played


def rule_sets() -> st.SearchStrategy[BuffaloRules]:
    """Rule sets with any handicap, both kinds at once included."""
    return st.sets(st.sampled_from(FILES), max_size=10).flatmap(
        lambda removed: st.builds(
            BuffaloRules, st.just(tuple(removed)), st.integers(1, len(FILES) - len(removed))
        )
    )


@st.composite
def arranged_positions(draw: st.DrawFn, turn: Side | None = None) -> Position:
    """Positions with the pieces anywhere that the rules allow, most of them out of reach of play; none is finished
    by a crossing.
    """
    hunter = draw(st.lists(st.sampled_from(PRAIRIE), min_size=5, max_size=5, unique=True))
    ranks = draw(st.tuples(*[st.sampled_from((0, 7, 6, 5, 4, 3, 2)) for _ in FILES]))
    pieces = {Square.at(f, rank): Piece.BUFFALO for f, rank in enumerate(ranks) if rank}
    pieces |= dict.fromkeys(hunter, Piece.DOG) | {hunter[0]: Piece.CHIEF}
    side = draw(st.sampled_from(Side)) if turn is None else turn
    number = draw(st.integers(1, 200))
    return Position.from_fen(write_fen(Placement(pieces, side, number)))


@st.composite
def reached_positions(draw: st.DrawFn) -> Position:
    """Positions reached by play, finished ones included."""
    line = random_line(random.Random(draw(st.integers(0, 2**32))))
    return line[min(draw(st.integers(0, 140)), len(line) - 1)]


def positions() -> st.SearchStrategy[Position]:
    """Positions of both kinds."""
    return arranged_positions() | reached_positions()
