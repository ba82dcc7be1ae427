"""An independent referee: Fairy-Stockfish, which was told the rules in its own language, must agree with ours."""

import random
from collections.abc import Iterator

import pytest

from stampede.buffalo import Position, Side
from tests.buffalo.arranged import PerftCase, perft_cases, random_line

pyffish = pytest.importorskip("pyffish", reason="pyffish, the outside referee, isn't installed")

VARIANT = "stampede-buffalo"
# Fairy-Stockfish calls the hunter white and the buffalo side black. W, Q and K are the steps of wazir, queen and
# king; m means "moves only", f "forward only".
RULES = f"""
[{VARIANT}]
maxRank = 7
maxFile = k
customPiece1 = b:mfW
customPiece2 = d:mQ
customPiece3 = c:K
startFen = bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1
mobilityRegionWhiteCustomPiece2 = *2 *3 *4 *5 *6
mobilityRegionWhiteCustomPiece3 = *2 *3 *4 *5 *6
flagPieceBlack = b
flagRegionBlack = *1
pass = false
stalemateValue = loss
nMoveRule = 0
nFoldRule = 0
"""
LOST = -32000


@pytest.fixture(scope="module", autouse=True)
def _variant() -> None:
    pyffish.load_variant_config(RULES)


def referee_moves(fen: str) -> set[str]:
    return set(pyffish.legal_moves(VARIANT, fen, []))


def our_moves(position: Position) -> set[str]:
    return {str(move) for move in position.legal_moves}


def sampled(games: int, removed: int, every: int) -> Iterator[Position]:
    """Positions from random games with some buffaloes removed: the last two of each game, and some before."""
    rng = random.Random(f"{games} {removed} {every}")
    for _ in range(games):
        line = random_line(rng, "".join(rng.sample("abcdefghijk", removed)))
        yield from line[rng.randrange(every) : -2 : every]
        yield from line[-2:]


def test_the_start_is_the_referee_s() -> None:
    """B1.4: it reads and writes our FEN."""
    assert Position.from_fen(pyffish.start_fen(VARIANT)) == Position.start()
    fen = pyffish.get_fen(VARIANT, Position.start().fen(), ["f7f6", "f2f3"])
    assert Position.from_fen(fen) == Position.start().play("f7f6").play("f2f3")


@pytest.mark.parametrize(
    ("games", "removed"), [(80, 0), (60, 4), (80, 8), (100, 9), (150, 10)], ids=str
)
def test_legal_moves_and_ends_agree_in_random_games(games: int, removed: int) -> None:
    """B2.1, B2.2, B2.3, B2.4, B2.5, B3.1, B3.2: with many buffaloes and with few."""
    seen = 0
    for position in sampled(games, removed, every=6):
        fen = position.fen()
        assert our_moves(position) == referee_moves(fen), f"{fen}\n{position}"
        seen += 1
        if position.is_over:
            assert position.winner is position.turn.other
            assert pyffish.game_result(VARIANT, fen, []) == LOST, fen
    assert seen > 250


def test_the_position_after_a_move_agrees() -> None:
    """B2.2, B2.3, B2.4: pieces, captures, side to move and move number."""
    rng = random.Random(7)
    captures = 0
    for position in sampled(40, 3, every=4):
        if moves := position.legal_moves:
            taking = [move for move in moves if position.is_capture(move)]
            move = rng.choice(taking or list(moves))
            captures += bool(taking) and position.turn is Side.HUNTER
            told = Position.from_fen(pyffish.get_fen(VARIANT, position.fen(), [str(move)]))
            ours = position.play(move)
            assert (told, told.number) == (ours, ours.number)
    assert captures > 20


@pytest.mark.parametrize("case", perft_cases(), ids=lambda case: case.name)
def test_the_perft_tables_agree_up_to_three_moves(case: PerftCase) -> None:
    """B2.1, B3.1, B3.2: the referee counts the same lines."""
    for depth, expected in enumerate(case.nodes[:3], start=1):
        assert referee_perft(case.fen, [], depth) == expected


def referee_perft(fen: str, line: list[str], depth: int) -> int:
    moves = pyffish.legal_moves(VARIANT, fen, line)
    if depth == 1:
        return len(moves)
    return sum(referee_perft(fen, [*line, move], depth - 1) for move in moves)
