"""Buffalo's levels: legal, repeatable, and none of them blind to what wins or loses on the spot."""

import random

import pytest

from stampede.bots import bot_named, bot_names
from stampede.bots.buffalo.book import draw_book_move
from stampede.bots.buffalo.first_moves import (
    find_first_move,
    position_text,
    shipped_first_moves,
)
from stampede.bots.buffalo.levels import LEVELS, Thought
from stampede.bots.buffalo.player import buffalo_bot
from stampede.bots.buffalo.search import search_first_move
from stampede.bots.buffalo.sight import Sight, move_at_sight
from stampede.buffalo import BuffaloGame, BuffaloRules, Move, Position, Side
from stampede.core.errors import InputError, NotToAct
from stampede.core.playthrough import Playthrough
from stampede.oracle.explorer import shipped_explorer
from stampede.zoff import ZoffGame, ZoffRules

GAME = BuffaloGame()
QUICK = range(1, 9)
WON = "11/11/11/11/b9b/2DDCDD4/11 b - - 0 1"
ONE_ANSWER = "bbbbbbbbb1b/11/11/11/9b1/3DDCD1D2/11 w - - 0 9"


@pytest.mark.parametrize("number", QUICK)
def test_a_level_plays_legal_games_on_both_sides_and_the_same_ones_again(number: int) -> None:
    """Opening turns of several steps (B4.3) included."""
    assert _played(number) == _played(number)


def _played(number: int) -> list[str]:
    rules = BuffaloRules(("c",), 3)
    played = Playthrough(GAME, rules, Position.start("c"))
    bot, rng = buffalo_bot(number), random.Random(3)
    for _ in range(12):
        if not (seats := GAME.to_act(played.state)):
            break
        view = GAME.view(played.state, seats[0])
        action = bot.choose(view, rng)
        assert isinstance(action, Move)
        played.play(seats[0], action)
    return [str(step) for step in played.steps()]


@pytest.mark.parametrize("number", [9, 10])
def test_the_strongest_levels_know_by_heart_what_they_would_search(number: int) -> None:
    """Their own first two moves after any answers; `scripts/buffalo_first_moves.py` makes the file anew."""
    bot, thought = buffalo_bot(number), buffalo_bot(number).level.plays(Side.BUFFALO)
    assert isinstance(thought, Thought)
    known = shipped_first_moves()[str(number)]
    for text in random.Random(number).sample(sorted(known), 3 if number == 9 else 1):
        position = Position.from_fen(f"{text} - - 0 2")
        assert str(search_first_move(thought, position)) == known[text]
    start = Position.start()
    assert {str(bot.move(start, random.Random(seed))) for seed in range(2)} == {
        known[position_text(start)]
    }
    for answer in start.legal_moves:
        hunted = start.after(answer)
        again = hunted.after(bot.move(hunted, random.Random(1)))
        assert all(find_first_move(number, again.after(move)) for move in again.legal_moves)
    assert find_first_move(8, start) is None


@pytest.mark.parametrize("number", range(3, 11))
def test_middle_and_high_levels_take_a_win_and_parry_a_threat(number: int) -> None:
    """B3.1: no pointless blunders from level 3 on."""
    bot = buffalo_bot(number)
    for seed in range(5):
        rng = random.Random(seed)
        assert str(bot.move(Position.from_fen(WON), rng)) in ("a3a2", "k3k2")
        after = Position.from_fen(ONE_ANSWER).play(bot.move(Position.from_fen(ONE_ANSWER), rng))
        assert "threat" not in " ".join(_threats(after))


def _threats(position: Position) -> list[str]:
    """What wins at once for the buffalo side, which is to move."""
    wins = []
    for move in position.legal_moves:
        after = position.after(move)
        if move.to_square.rank == 2 and not any(
            after.is_capture(answer) and answer.to_square == move.to_square
            for answer in after.legal_moves
        ):
            wins.append(f"threat {move}")
    return wins


def test_low_levels_choose_freely_and_high_ones_do_not() -> None:
    def moves(number: int) -> set[Move]:
        return {buffalo_bot(number).move(Position.start(), random.Random(s)) for s in range(8)}

    assert len(moves(1)) > 2
    assert len(moves(9)) == 1


@pytest.mark.parametrize("number", range(6, 9))
def test_levels_with_a_book_draw_among_its_good_moves_and_by_the_seed_alone(number: int) -> None:
    """On either side, on a board and its mirror image; elsewhere they search."""
    bot = buffalo_bot(number)
    start = Position.start()
    for position in (start, start.play("c7c6"), start.play("i7i6")):
        play = bot.level.plays(position.turn)
        assert isinstance(play, Thought)
        known = {one.move: one.score for one in shipped_explorer().find(position)}
        drawn = [bot.move(position, random.Random(seed)) for seed in range(40)]
        assert drawn == [bot.move(position, random.Random(seed)) for seed in range(40)]
        good = {move for move in known if max(known.values()) - known[move] <= play.book}
        assert set(drawn) <= good
        assert len(set(drawn)) >= min(2, len(good))
    assert draw_book_move(Position.start("c"), 100, random.Random(1)) is None


def test_levels_think_from_the_third_on_and_leave_nothing_to_chance_at_the_top() -> None:
    for side in Side:
        plays = [level.plays(side) for level in LEVELS]
        thoughts = [play for play in plays if isinstance(play, Thought)]
        assert plays[2:] == thoughts
        assert [thought.temperature for thought in thoughts[-2:]] == [0, 0]
        assert max(thoughts[:-1], key=lambda thought: thought.nodes) is thoughts[-2]
    assert len({level.title for level in LEVELS}) == len(LEVELS)
    assert LEVELS[-1].seconds is not None
    assert LEVELS[-1].seconds <= 1


@pytest.mark.parametrize("number", [1, 2])
def test_low_levels_never_miss_a_win_on_the_spot(number: int) -> None:
    """B3.1, B3.2: whatever else they overlook."""
    crossing = Position.from_fen("bbbbbbbbb2/11/11/11/11/3DDCDD2b/11 b - - 0 9")
    blocking = Position.from_fen("b10/11/D10/11/11/4DCDD3/11 w - - 0 9")
    for seed in range(20):
        rng = random.Random(seed)
        assert str(buffalo_bot(number).move(crossing, rng)) == "k2k1"
        assert blocking.play(buffalo_bot(number).move(blocking, rng)).winner is Side.HUNTER


def test_level_2_stops_a_crossing_that_it_can_stop() -> None:
    """A buffalo on rank 3 with a free square ahead; the dog that can get there stands near."""
    position = Position.from_fen("bbbbbbbb1bb/11/11/11/8b2/3DD1DDC2/11 w - - 0 9")
    for seed in range(20):
        after = position.play(buffalo_bot(2).move(position, random.Random(seed)))
        assert not _threats(after)


def test_careless_players_see_what_stands_where_they_move() -> None:
    """They overlook what is far from both ends of a move, not the buffalo that the dog they move has stopped."""
    position = Position.from_fen("11/11/1bb5bb1/3b7/b1DD7/D8CD/11 w - - 0 24")
    careless = Sight(20, overlooks=1.0)
    moves = tuple(position.legal_moves)
    for seed in range(20):
        move = move_at_sight(position, moves, careless, random.Random(seed))
        assert str(move.from_square) != "a2", move


def test_the_favourite_plan_is_to_run_where_no_dog_waits() -> None:
    """The buffalo on h3 leads but stands before a dog; the one on i4 is free."""
    position = Position.from_fen("2bbbb5/9b1/6C3b/8b2/7b3/D3D1DD3/11 b - - 0 16")
    eager = Sight(0, favours=10_000)
    moves = tuple(position.legal_moves)
    assert str(move_at_sight(position, moves, eager, random.Random(1))) == "i4i3"


def test_bots_are_found_by_name_and_by_level() -> None:
    assert [bot_named(name).name for name in bot_names("buffalo")] == list(bot_names("buffalo"))
    assert bot_named("5", "buffalo").name == "buffalo-5"


@pytest.mark.parametrize(
    ("name", "game"),
    [("0", "buffalo"), ("11", "buffalo"), ("5", None), ("buffalo-5", "zoff"), ("calf", "buffalo")],
)
def test_an_unknown_level_is_refused_with_what_there_is(name: str, game: str | None) -> None:
    with pytest.raises(InputError, match="bot: expected random"):
        bot_named(name, game)


def test_a_bot_refuses_a_view_that_is_not_its_own() -> None:
    """Another game's view, or one of a seat that isn't to move: the request is outdated."""
    state = GAME.initial(BuffaloRules(), Position.start())
    with pytest.raises(NotToAct, match="expected a view of seat"):
        buffalo_bot(1).choose(GAME.view(state, 1), random.Random(0))
    zoff = ZoffGame()
    rules = ZoffRules(3)
    dealt = zoff.initial(rules, zoff.draw(rules, random.Random(0)))
    with pytest.raises(InputError, match="expected a view of Buffalo, got ZoffView"):
        buffalo_bot(1).choose(zoff.view(dealt, 0), random.Random(0))
