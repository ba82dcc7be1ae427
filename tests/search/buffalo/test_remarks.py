"""What is said about a position is so."""

import random

import pytest

from stampede.buffalo import Position, Side
from stampede.oracle import default_oracle
from stampede.search.buffalo.analysis import analyse, verdict
from stampede.search.buffalo.engine import Engine, Limits, Variation
from stampede.search.buffalo.remarks import PHRASES, remarks


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("11/11/11/11/11/b1DDCDD4/11 b - -", "The buffalo on a2 can cross now and wins"),
        ("11/11/11/11/11/b1DDCDD3k/11 w - -".replace("k", "b"), "can capture only one"),
        ("11/11/11/11/11/b1DDCDD4/11 w - -", "the chief can't reach it"),
        ("11/11/11/11/11/bC1DDDD4/11 w - -", "the chief must capture it at once"),
        ("11/11/11/11/b10/2DDCDD4/11 w - -", "threatens to step to a2"),
        ("11/11/11/11/b10/2DDCDD4/11 b - -", "can step to a2"),
        ("11/11/11/11/b10/1CDDDD5/11 b - -", "can offer itself on a2"),
        ("11/11/11/11/b10/D2DCDD4/11 w - -", "The dog on a2 is pinned"),
        ("11/11/11/b10/11/2DDCDD4/11 b - -", "The chief alone can't catch the buffalo on a4"),
        ("b10/11/11/D10/11/3DCDD4/11 b - -", "1 buffalo: 0 blocked, 1 with a dog ahead"),
    ],
)
def test_a_remark_names_what_there_is(fen: str, expected: str) -> None:
    """B2.4, B2.5, B3.1."""
    assert expected in " ".join(map(str, remarks(Position.from_fen(fen))))


def test_the_start_has_nothing_to_warn_of() -> None:
    assert len(remarks(Position.start())) == 1


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (0, "even"),
        (-100, "the hunter is slightly better"),
        (300, "the buffalo side is clearly better"),
        (900, "the buffalo side is winning, not proven"),
        (29_997, "the buffalo side wins by force: proven, at most 2 moves"),
        (-29_998, "the hunter wins by force: proven, at most 1 move"),
    ],
)
def test_a_score_is_put_in_words(score: int, words: str) -> None:
    move = next(iter(Position.start().legal_moves))
    assert str(verdict(Side.BUFFALO, Variation((move,), score, 1))) == words


def test_everything_that_can_be_said_is_said_in_random_games_and_has_an_english_sentence() -> None:
    """Buffaloes run, are blocked, pinned and captured there."""
    said = set()
    for seed in range(60):
        rng = random.Random(seed)
        position = Position.start()
        while not position.is_over:
            move = rng.choice(list(position.legal_moves))
            score = rng.choice([0, 100, 300, 900, 29_990])
            line = Variation((move,), rng.choice([score, -score]), 1)
            for saying in (*remarks(position), verdict(position.turn, line)):
                told = saying.to_json()
                assert told["text"]
                assert "{" not in str(told["text"])
                said.add(saying.code)
            position = position.after(move)
    assert said == PHRASES.codes - {"in_certificate", "in_table"}  # said in tests/oracle


def test_an_analysis_as_json_names_moves_scores_and_lines() -> None:
    told = analyse(
        Position.start(), Limits(depth=4), engine=Engine(oracle=default_oracle()), variations=2
    ).to_json()
    assert told["depth"] == 4
    lines = told["lines"]
    assert isinstance(lines, list)
    assert len(lines) == 2
    for line in lines:
        assert isinstance(line, dict)
        assert {"move", "score", "plies_to_end", "verdict", "depth", "moves"} == line.keys()
