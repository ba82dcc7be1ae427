"""B2: what may move where, and what a player is told when it may not."""

import re

import pytest
from hypothesis import given

from stampede.buffalo import Move, Piece, Position, Side
from stampede.buffalo.geometry import SQUARES
from stampede.buffalo.tables import reach
from stampede.core.errors import ActionError, GameOver, IllegalAction, ParseError
from tests.buffalo.arranged import arranged_positions, positions

ALL_MOVES = [Move(start, end) for start in SQUARES for end in SQUARES]


def destinations(fen: str, start: str) -> str:
    """Where the piece on a square can go, in the order of the alphabet."""
    moves = Position.from_fen(fen).legal_moves
    return " ".join(sorted(str(m.to_square) for m in moves if str(m.from_square) == start))


def test_the_buffalo_side_begins_and_the_sides_alternate() -> None:
    """B2.1: one piece a turn."""
    position = Position.start()
    turns = []
    for move in ("a7a6", "d2d6", "a6a5", "f2e3"):
        turns.append(position.turn)
        position = position.play(move)
    assert turns == [Side.BUFFALO, Side.HUNTER] * 2


def test_a_buffalo_steps_one_square_ahead_and_crosses_both_rivers() -> None:
    """B2.2: never further, never aside, never back."""
    fen = "b10/1b9/11/11/3DD6/2b3C1DD1/11 b - - 0 1"
    assert [str(m) for m in Position.from_fen(fen).legal_moves] == ["a7a6", "b6b5", "c2c1"]


def test_a_buffalo_never_captures() -> None:
    """B2.2: with dogs diagonally and straight ahead it has no move."""
    fen = "11/1b8b/D1D8/1D9/11/5C4D/11 b - - 0 1"
    assert [str(m) for m in Position.from_fen(fen).legal_moves] == ["b6b5", "k6k5"]
    fen = "11/1b9/DDD8/11/11/5C4D/11 b - - 0 1"
    assert len(Position.from_fen(fen).legal_moves) == 0


def test_a_dog_runs_in_eight_directions_until_something_stands_in_its_way() -> None:
    """B2.3: over empty squares only; it stops before buffaloes, dogs, chief and the rivers."""
    fen = "11/1b9/3b7/3D3C3/11/1D3D4D/11 w - - 0 1"
    assert destinations(fen, "d4") == "a4 b4 c3 c4 c5 d2 d3 e3 e4 e5 f4 f6 g4"


def test_a_dog_never_captures() -> None:
    """B2.3: buffaloes on six of its lines are safe."""
    position = Position.from_fen("11/3b1b5/11/1b1D2b4/2b1b6/6D1DDC/11 w - - 0 1")
    ends = {
        m.to_square for m in position.legal_moves if position.piece_at(m.from_square) is Piece.DOG
    }
    assert not ends & set(position.buffaloes)


def test_dogs_and_chief_never_leave_the_prairie() -> None:
    """B2.3, B2.4: the rivers stop them, on both sides."""
    assert destinations("11/C1D8/11/11/11/D2D3D3/11 w - - 0 1", "a6") == "a5 b5 b6"
    assert destinations("11/C1D8/11/11/11/D2D3D3/11 w - - 0 1", "d2") == (
        "a5 b2 b4 c2 c3 d3 d4 d5 d6 e2 e3 f2 f4 g2 g5 h6"
    )


def test_the_chief_steps_one_square_and_captures_buffaloes_but_not_dogs() -> None:
    """B2.4: a captured buffalo is removed."""
    fen = "11/11/3b1b5/3DC6/4D6/DD9/11 w - - 0 1"
    assert destinations(fen, "e4") == "d3 d5 e5 f3 f4 f5"
    after = Position.from_fen(fen).play("e4d5")
    assert after.fen() == "11/11/3C1b5/3D7/4D6/DD9/11 b - - 0 1"
    assert Position.from_fen(fen).is_capture(Move.parse("e4d5"))
    assert not Position.from_fen(fen).is_capture(Move.parse("e4e5"))


def test_capturing_is_never_compulsory() -> None:
    """B2.4: dogs may move although the chief could capture."""
    position = Position.from_fen("11/11/3b1b5/3DC6/4D6/DD9/11 w - - 0 1")
    captures = [m for m in position.legal_moves if position.is_capture(m)]
    assert 0 < len(captures) < len(position.legal_moves)


def test_a_buffalo_on_the_near_bank_can_be_blocked_but_not_captured() -> None:
    """B2.5: from rank 6, by a dog or by the chief."""
    fen = "bbb8/CD9/11/11/11/2D5DD1/11 w - - 0 1"
    assert destinations(fen, "a6") == "a5 b5"
    blocked = Position.from_fen(fen).with_turn(Side.BUFFALO)
    assert [str(m) for m in blocked.legal_moves] == ["c7c6"]


REFUSALS = [
    ("b", "a5a4", "there is no piece on a5 to move (B2.1)"),
    ("b", "d2d3", "it's the turn of the buffalo side, but d2 holds a dog (B2.1)"),
    ("w", "b7b6", "it's the turn of the hunter, but b7 holds a buffalo (B2.1)"),
    ("b", "a7a7", "a7a7 moves nothing, and nobody may pass (B2.1)"),
    ("b", "b7b5", "a buffalo moves one square straight ahead, from b7 to b6, not to b5 (B2.2)"),
    ("b", "b7c6", "a buffalo moves one square straight ahead, from b7 to b6, not to c6 (B2.2)"),
    ("b", "a7a6", "a7 is blocked by the dog on a6 (B2.5)"),
    ("w", "d2d1", "a dog stays on the prairie, ranks 2 to 6, and d1 is outside (B2.3)"),
    ("w", "d2e4", "a dog moves in a straight line, and e4 isn't in line with d2 (B2.3)"),
    ("w", "d2i2", "a dog never jumps, and a dog stands between on e2 (B2.3)"),
    ("w", "a6e2", "a dog never jumps, and a buffalo stands between on c4 (B2.3)"),
    ("w", "e2c4", "a dog never captures, and c4 holds a buffalo (B2.3)"),
    ("w", "f2f1", "the chief stays on the prairie, ranks 2 to 6, and f1 is outside (B2.4)"),
    ("w", "f2f4", "the chief moves one square, and f4 isn't next to f2 (B2.4)"),
    ("w", "f2e2", "the chief may not enter e2: a dog stands there (B2.4)"),
]


@pytest.mark.parametrize(("side", "move", "message"), REFUSALS)
def test_a_refused_move_says_why_and_by_which_clause(side: str, move: str, message: str) -> None:
    """B2.1, B2.2, B2.3, B2.4, B2.5, each with a sentence."""
    position = Position.from_fen(f"bb9/D10/11/2b8/11/3DDCD4/11 {side} - - 0 1")
    with pytest.raises(IllegalAction) as caught:
        position.play(move)
    assert str(caught.value) == message
    assert f"({caught.value.clause})" in message


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("11/11/11/11/11/3DDCDD3/b10 w - - 0 9", "a buffalo has reached rank 1 (B3.1)"),
        ("11/11/11/11/11/3DDCDD3/11 b - - 0 9", "no buffalo can move (B3.2)"),
    ],
)
def test_nothing_can_be_moved_after_the_end(fen: str, message: str) -> None:
    """B3.1, B3.2: a finished game says how it ended."""
    with pytest.raises(GameOver, match=re.escape(message)):
        Position.from_fen(fen).play("d2d3")


def test_a_text_that_is_no_move_is_no_illegal_move_but_a_slip() -> None:
    with pytest.raises(ParseError, match="expected a move such as a7a6"):
        Position.start().play("a7")


@given(positions())
def test_the_quick_test_agrees_with_the_list_of_legal_moves(position: Position) -> None:
    """B2.1 to B2.4: `is_legal` on all 77 × 77 moves."""
    listed = list(position.legal_moves)
    assert len(set(listed)) == len(listed)
    assert {move for move in ALL_MOVES if position.is_legal(move)} == set(listed)


@given(arranged_positions())
def test_every_refusal_names_a_clause(position: Position) -> None:
    for move in ALL_MOVES[::7]:
        if not position.is_legal(move):
            with pytest.raises(ActionError) as caught:
                position.play(move)
            assert re.fullmatch(r"B[23]\.\d", caught.value.clause)


@given(positions())
def test_the_rules_are_the_same_in_a_mirror(position: Position) -> None:
    mirrored = position.mirror()
    assert {m.mirror() for m in position.legal_moves} == set(mirrored.legal_moves)
    for move in position.legal_moves:
        assert position.after(move).mirror() == mirrored.after(move.mirror())


@given(positions())
def test_a_move_changes_only_what_the_rules_say(position: Position) -> None:
    """B2.2, B2.3, B2.4: one piece moves, and only the chief's move can remove a buffalo."""
    for move in position.legal_moves:
        before, after = dict(position.pieces), dict(position.play(move).pieces)
        piece = before.pop(move.from_square)
        taken = before.pop(move.to_square, None)
        assert taken is None or (taken, piece) == (Piece.BUFFALO, Piece.CHIEF)
        assert after == before | {move.to_square: piece}


@given(positions())
def test_what_is_kept_for_speed_agrees_with_the_pieces(position: Position) -> None:
    for move in position.legal_moves:
        after = position.after(move)
        fresh = Position.from_fen(after.fen())
        assert after == fresh
        assert (after.occupied, after.number) == (fresh.occupied, fresh.number)


@given(positions())
def test_every_legal_move_is_within_reach(position: Position) -> None:
    """B2.2, B2.3, B2.4: what a client offers in advance holds every move that can become legal."""
    within = reach()
    for move in position.legal_moves:
        piece = position.piece_at(move.from_square)
        assert str(move.to_square) in within[str(piece)][str(move.from_square)]


def test_reach_ends_where_the_board_does() -> None:
    within = reach()
    assert within["buffalo"]["a7"] == ["a6"]
    assert "a1" not in within["buffalo"]
    assert sorted(within["chief"]["a2"]) == ["a3", "b2", "b3"]
    assert "a7" not in within["dog"]["a2"]
    assert "k2" in within["dog"]["a2"]
