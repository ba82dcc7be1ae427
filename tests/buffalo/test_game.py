"""Buffalo under the contract: events, views, refusals."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stampede.buffalo import (
    Blocked,
    BuffaloEnded,
    BuffaloRules,
    Captured,
    Move,
    Moved,
    Piece,
    Position,
)
from stampede.buffalo.reasons import BuffaloReason
from stampede.core.errors import GameOver, IllegalAction, NotToAct, ParseError, RuleSetError
from stampede.core.events import Event
from stampede.core.json import canonical
from tests.buffalo.arranged import GAME, random_game, rule_sets, with_moves

ORDINARY = BuffaloRules()


def last_events(moves: str, start: str | None = None) -> tuple[Event, ...]:
    return with_moves(ORDINARY, moves, start).turns[-1].events


def test_a_move_is_told_with_seat_and_piece() -> None:
    assert last_events("a7a6") == (Moved(0, Piece.BUFFALO, Move.parse("a7a6")),)
    assert last_events("a7a6 d2d3") == (Moved(1, Piece.DOG, Move.parse("d2d3")),)
    assert last_events("a7a6 f2f3") == (Moved(1, Piece.CHIEF, Move.parse("f2f3")),)


def test_a_capture_is_told_with_its_clause() -> None:
    """B2.4."""
    events = last_events("f2e3", "b10/11/11/11/4b6/3DDCDD3/11 w - - 0 1")
    assert events == (
        Moved(1, Piece.CHIEF, Move.parse("f2e3")),
        Captured("e3", BuffaloReason("chief_entered", "B2.4")),
    )


def test_a_block_is_told_with_its_clause() -> None:
    """B2.5: by a dog or by the chief."""
    by_dog = last_events("d2d5", "b10/3b7/11/11/11/3DDCDD3/11 w - - 0 1")
    assert by_dog[1:] == (Blocked("d6", Piece.DOG, "d5", BuffaloReason("piece_in_front", "B2.5")),)
    by_chief = last_events("f2f3", "b10/11/11/5b5/11/3DDCDD3/11 w - - 0 1")
    assert by_chief[1:] == (Blocked("f4", Piece.CHIEF, "f3"),)


def test_the_end_is_told_with_its_reason() -> None:
    """B3.1, B3.2: with what the sentence needs."""
    crossed = last_events("a2a1", "11/11/11/11/11/b2DDCDD3/11 b - - 0 1")
    assert crossed[-1] == BuffaloEnded(0, BuffaloReason("crossed", "B3.1", (("square", "a1"),)))
    start = "b10/D10/11/11/4b6/4DCDD3/11 w - - 0 1"
    stuck = last_events("f2e3", start)
    values = (("blocked", 1), ("captured", 1))
    assert stuck[-1] == BuffaloEnded(1, BuffaloReason("no_move", "B3.2", values))


def test_events_are_plain_json() -> None:
    played = with_moves(ORDINARY, "f2e3", "b10/D10/11/11/4b6/4DCDD3/11 w - - 0 1")
    assert json.loads(canonical([event.to_json() for event in played.events])) == [
        {"kind": "moved", "seat": 1, "piece": "chief", "move": "f2e3"},
        {
            "kind": "captured",
            "square": "e3",
            "reason": {"code": "chief_entered", "clause": "B2.4"},
        },
        {
            "kind": "ended",
            "winner": 1,
            "reason": {"code": "no_move", "clause": "B3.2", "blocked": 1, "captured": 1},
        },
    ]


def test_a_seat_that_isn_t_to_move_is_refused() -> None:
    """B2.1."""
    state = with_moves(ORDINARY, "").state
    with pytest.raises(NotToAct, match=r"expected a move of seat 0, the buffalo side, got seat 1"):
        GAME.apply(state, 1, Move.parse("d2d3"))
    with pytest.raises(NotToAct, match="got seat 7"):
        GAME.apply(state, 7, Move.parse("a7a6"))
    with pytest.raises(IllegalAction, match=r"one square straight ahead, .* not to a5 \(B2.2\)"):
        GAME.apply(state, 0, Move.parse("a7a5"))


@pytest.mark.parametrize("seat", [0, 1])
def test_after_the_end_nobody_can_move(seat: int) -> None:
    """B3.1."""
    state = with_moves(ORDINARY, "a2a1", "11/11/11/11/11/b2DDCDD3/11 b - - 0 1").state
    assert GAME.to_act(state) == ()
    assert len(GAME.legal(state, seat)) == 0
    with pytest.raises(GameOver, match=r"a buffalo has reached rank 1 \(B3.1\)"):
        GAME.apply(state, seat, Move.parse("d2d3"))


def test_a_start_must_not_have_the_buffaloes_that_the_rules_remove() -> None:
    """B4.2."""
    with pytest.raises(RuleSetError, match="without the removed buffaloes, got one on c"):
        GAME.initial(BuffaloRules(("c",)), Position.start())


@pytest.mark.parametrize("data", ["a7", 7, None, ["a7", "a6"], {"move": "a7a6"}])
def test_an_action_that_can_t_be_read_is_refused(data: str) -> None:
    """B1.5."""
    with pytest.raises(ParseError, match="a7a6"):
        GAME.read_action(with_moves(ORDINARY, "").state, data)


def test_the_view_shows_everything_and_the_legal_moves_to_the_seat_to_move() -> None:
    """B4.2: the hunter sees which buffaloes were left out."""
    rules = BuffaloRules(("c",), opening_moves=2)
    state = with_moves(rules, "a7a6").state
    view = GAME.view(state, 0).to_json()
    assert view == {
        "game": "buffalo",
        "viewer": 0,
        "rules": {"removed": ["c"], "opening_moves": 2},
        "fen": "1b1bbbbbbbb/b10/11/11/11/3DDCDD3/11 b - - 0 2",
        "to_act": [0],
        "legal": {
            "moves": {f"{file}7": [f"{file}6"] for file in "bdefghijk"},
            "refused": [
                {"squares": ["a6"], "reason": {"code": "has_stepped", "clause": "B4.3"}},
            ],
        },
        "opening": {"left": 1, "stepped": ["a"]},
        "last_move": "a7a6",
        "captured": [],
        "result": None,
    }
    for viewer in (1, None):
        assert GAME.view(state, viewer).to_json() == {**view, "viewer": viewer, "legal": None}


def test_the_view_of_a_finished_game_tells_captures_and_result() -> None:
    """B3.2."""
    played = with_moves(ORDINARY, "f2e3", "b10/D10/11/11/4b6/4DCDD3/11 w - - 0 1")
    view = GAME.view(played.state, None).to_json()
    assert view["result"] == {"winner": 1, "reason": "no_move"}
    assert (view["captured"], view["to_act"], view["opening"]) == (["e"], [], None)


@given(st.integers(0, 2**32), rule_sets())
def test_the_contract_and_the_positions_play_the_same_game(seed: int, rules: BuffaloRules) -> None:
    """B2.1, B3.1, B3.2: states are positions, beyond the opening turn."""
    played = random_game(random.Random(seed), rules)
    for before, turn in zip(played.turns, played.turns[1:], strict=False):
        seats = GAME.to_act(before.state)
        assert seats == (turn.seat,)
        assert turn.action in GAME.legal(before.state, turn.seat)
        assert GAME.redact(turn.events, turn.state, None) == turn.events
        if before.state.opening is None:
            assert turn.state.position == before.state.position.play(turn.action)
    assert played.outcome == played.state.position.outcome() is not None


@given(st.integers(0, 2**32))
def test_undoing_gives_every_earlier_state_back(seed: int) -> None:
    played = random_game(random.Random(seed), ORDINARY)
    states = [played.start, *(turn.state for turn in played.turns)]
    while played.undo():
        states.pop()
        assert played.state == states[-1]
    assert played.state.position == Position.start()
