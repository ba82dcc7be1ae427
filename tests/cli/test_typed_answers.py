"""Typed answers mean what a player thinks they mean, and nonsense is told as such."""

import io
import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from stampede.buffalo import BuffaloGame, BuffaloRules
from stampede.buffalo.pieces import Side
from stampede.cli.terminal import AnyGameTerminal, BuffaloTerminal, ZoffTerminal
from stampede.cli.terminal.matching import initials, one_of
from stampede.core.errors import ParseError
from stampede.zoff import Bid, Choose, Edition, ZoffAction, ZoffPhase, ZoffRules, ZoffView
from stampede.zoff.legal import ChoiceOptions
from tests.cli.keyboard import by_initials, by_name, by_row, typed

ZOFF = ZoffTerminal()
BUFFALO = BuffaloTerminal()
NAMES = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Finn")

rule_sets = st.builds(
    ZoffRules,
    players=st.integers(2, 6),
    auction=st.booleans(),
    fair=st.booleans(),
    open_discards=st.booleans(),
)


def views(rules: ZoffRules, seed: int) -> list[tuple[ZoffView, ZoffAction]]:
    """Every decision of a random game: the view of who decides, and the answer."""
    rng = random.Random(seed)
    game = ZOFF.game
    state = game.initial(rules, game.draw(rules, rng))
    found = []
    while awaited := game.to_act(state):
        action = game.legal(state, awaited[0]).sample(rng)
        found.append((ZOFF.game.view(state, awaited[0]), action))
        state = game.apply(state, awaited[0], action).state
    return found


@given(rule_sets, st.integers(0, 2**32), st.sampled_from([by_row, by_initials, by_name]))
def test_every_answer_of_zoff_can_be_typed(rules: ZoffRules, seed: int, form: object) -> None:
    """Z3.1, Z4.3, Z5.2, Z10.2, Z11.1: pastures by row, initials or name."""
    assert callable(form)
    for view, action in views(rules, seed):
        assert ZOFF.parse(view, typed(view, action, form)) == action


@given(rule_sets, st.integers(0, 2**32), st.text(max_size=20), st.data())
def test_any_text_is_an_action_or_a_parse_error(
    rules: ZoffRules, seed: int, text: str, data: st.DataObject
) -> None:
    view, _ = data.draw(st.sampled_from(views(rules, seed)))
    with suppress(ParseError):
        ZOFF.echo(ZOFF.parse(view, text))


@given(rule_sets, st.integers(0, 2**32), st.sampled_from([80, 120]), st.data())
def test_every_decision_of_zoff_fits_the_screen(
    rules: ZoffRules, seed: int, width: int, data: st.DataObject
) -> None:
    view, action = data.draw(st.sampled_from(views(rules, seed)))
    shown = io.StringIO()
    out = Console(width=width, file=shown)
    out.print(ZOFF.screen(view, NAMES, width))
    out.print(ZOFF.moves(view), ZOFF.question(view, NAMES), ZOFF.echo(action))
    assert "…" not in shown.getvalue(), "nothing is cut off"
    assert max(map(len, shown.getvalue().splitlines())) <= width
    for pasture in view.pastures:
        assert pasture.name in shown.getvalue()


@given(st.integers(0, 2**32), st.integers(1, 11))
def test_every_move_of_buffalo_can_be_typed_and_a_step_by_its_file_alone(
    seed: int, steps: int
) -> None:
    """B1.5, B2.2: `a7a6`, or `a`."""
    rng = random.Random(seed)
    game: BuffaloGame = BUFFALO.game
    rules = BuffaloRules(opening_moves=steps)
    state = game.initial(rules, game.draw(rules, rng))
    while awaited := game.to_act(state):
        move = game.legal(state, awaited[0]).sample(rng)
        view = BUFFALO.game.view(state, awaited[0])
        assert BUFFALO.parse(view, str(move)) == move
        assert BUFFALO.parse(view, f" {move.from_square} - {move.to_square} ".upper()) == move
        if state.position.turn is Side.BUFFALO:
            assert BUFFALO.parse(view, move.from_square.file_name) == move
        state = game.apply(state, awaited[0], move).state


@given(st.text(max_size=8))
def test_any_text_is_a_move_or_a_parse_error(text: str) -> None:
    state = BUFFALO.game.initial(
        BuffaloRules(), BUFFALO.game.draw(BuffaloRules(), random.Random(1))
    )
    with suppress(ParseError):
        BUFFALO.echo(BUFFALO.parse(BUFFALO.game.view(state, 0), text))


def first_choice(players: int = 5) -> ZoffView:
    """The view of seat 0 when the first choice is awaited."""
    rules = ZoffRules(players)
    view = next(view for view, _ in views(rules, 1) if view.phase is ZoffPhase.CHOOSE)
    assert isinstance(view.legal, ChoiceOptions)
    return view


@pytest.mark.parametrize(
    "text",
    [
        "ll 4m, dm 3d",
        "LL 4M DM 3D",
        "lucky-lake 4m; dynamite 3d",
        "7 4m, 10 3d",
        "lake 4m and mine 3d",
    ],
)
def test_a_choice_can_be_typed_in_many_ways(text: str) -> None:
    view = first_choice()
    choice = ZOFF.parse(view, text)
    assert isinstance(choice, Choose)
    assert [(pair.pasture, str(pair.card)) for pair in choice.pairs] == [
        ("Lucky-Lake", "4M"),
        ("Dynamite-Mine", "3D"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ll 4m", "expected 2 pairs"),
        ("lucky 4m, dm 3d", "Lucky-Lake or Lucky-Pickle"),
        ("ll 4, dm 3d", "4M or 4N"),
        ("ll 9z, dm 3d", "one of your cards"),
        ("xx 4m, dm 3d", "expected a pasture"),
        ("99 4m, dm 3d", "expected a pasture"),
        ("ll 4m dm", "expected"),
    ],
)
def test_an_unclear_choice_says_what_is_unclear(text: str, problem: str) -> None:
    with pytest.raises(ParseError, match=problem):
        ZOFF.parse(first_choice(), text)


def test_two_players_need_not_name_their_colours() -> None:
    """Z10.4: the first pair is the first colour's, unless the words say otherwise."""
    view = next(view for view, _ in views(ZoffRules(2), 1) if view.phase is ZoffPhase.CHOOSE)
    plain = ZOFF.parse(view, "ll 4m, bb 3f")
    assert plain == ZOFF.parse(view, "blue ll 4m, green bb 3f")
    assert plain == ZOFF.parse(view, "g bb 3f, b ll 4m")
    assert plain != ZOFF.parse(view, "g ll 4m, b bb 3f")


def test_several_bonus_cows_on_one_pasture_have_a_short_form() -> None:
    view = next(
        view
        for seed in range(50)
        for view, _ in views(ZoffRules(5), seed)
        if view.phase is ZoffPhase.BONUS and view.due[0].cows == 2
    )
    assert ZOFF.parse(view, "2xll") == ZOFF.parse(view, "llx2") == ZOFF.parse(view, "ll, ll")


def test_the_initials_of_pastures_are_all_different() -> None:
    names = [pasture.name for pasture in Edition.default().pastures]
    assert len({initials(name) for name in names}) == len(names)
    for name in names:
        assert one_of(initials(name), names, "a pasture") == name


@pytest.mark.parametrize("terminal", [ZOFF, BUFFALO], ids=["zoff", "buffalo"])
def test_titles_are_as_many_as_seats(terminal: AnyGameTerminal) -> None:
    rule_sets_of = [ZoffRules(n) for n in range(2, 7)] if terminal is ZOFF else [BuffaloRules()]
    for rules in rule_sets_of:
        assert len(set(terminal.titles(rules))) == terminal.game.seats(rules)


def test_a_bid_may_have_a_decimal_comma() -> None:
    """Z11.1: a decimal number; most of Europe writes it with a comma."""
    rules = ZoffRules(3, auction=True)
    view = ZOFF.game.view(ZOFF.game.initial(rules, ZOFF.game.draw(rules, random.Random(1))), 0)
    assert ZOFF.parse(view, "1,25") == ZOFF.parse(view, "1.25") == Bid("1.25")
    with pytest.raises(ParseError, match="expected a bid"):
        ZOFF.parse(view, "1,2,5")
