"""Coached games: the moments that the coach speaks of come up early, whatever a newcomer does within reason."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from stampede.bots import GUIDE, bot_named
from stampede.buffalo import BuffaloGame
from stampede.buffalo.events import Blocked, Captured, Moved
from stampede.core.json import JsonObject, expect_object
from stampede.games import GAMES
from stampede.lessons.coached import coached_start
from stampede.matches.settings import TableStart, begin_from
from stampede.zoff import ZoffGame
from stampede.zoff.actions import Choose, Place, ZoffAction
from stampede.zoff.events import BonusPlaced, Filled, Precedence
from stampede.zoff.state import ZoffPhase
from stampede.zoff.view import ZoffView

EARLY = 3
"""Zoff's moments come up within so many rounds."""
GAMES_EACH = 12
MOST = 0.85
"""What comes up in this share of the games comes up in most."""


# --- Zoff: how newcomers play ---


def grab(view: ZoffView, rng: random.Random) -> ZoffAction:
    """High cards on the smallest pastures, and all the cows that go."""
    if view.phase is ZoffPhase.CHOOSE:
        small = [pasture.name for pasture in view.pastures if pasture.free][:2]
        return laid(view, rng, small, high=True)
    return placed(view, rng)


def stay(view: ZoffView, rng: random.Random) -> ZoffAction:
    """Where the own cows are already."""
    if view.phase is ZoffPhase.CHOOSE:
        own = view.seats[0].colours[0]
        mine = [pasture.name for pasture in view.pastures if pasture.free and own in pasture.herds]
        return laid(view, rng, mine[:2], high=rng.random() < 0.5)
    return placed(view, rng)


def wander(view: ZoffView, rng: random.Random) -> ZoffAction:
    """Anything at all."""
    return view.legal.sample(rng)


def laid(view: ZoffView, rng: random.Random, wanted: list[str], *, high: bool) -> Choose:
    """A legal choice that has as many of these pastures as can be, with high or low cards."""
    tries = [view.legal.sample(rng) for _ in range(200)]
    choices = [action for action in tries if isinstance(action, Choose)]

    def fit(choose: Choose) -> tuple[int, int]:
        cards = sum(pair.card.value for pair in choose.pairs)
        return sum(pair.pasture in wanted for pair in choose.pairs), cards if high else -cards

    return max(choices, key=fit)


def placed(view: ZoffView, rng: random.Random) -> ZoffAction:
    """As many cows as go."""
    places = [action for action in view.legal if isinstance(action, Place)]
    if places:
        return max(places, key=lambda place: place.cows)
    return view.legal.sample(rng)


Newcomer = Callable[[Any, random.Random], Any]


def zoff_moments(players: int, newcomer: Newcomer, seed: int) -> set[str]:
    """The moments of the first rounds of a coached game."""
    game, spec = ZoffGame(), GAMES["zoff"]
    rules = spec.new_rules(players, {})
    start = coached_start(spec, rules, 0)
    assert start is not None
    played = begin_from(game, rules, TableStart(*start))
    state, rng, guide = played.state, random.Random(seed), bot_named(GUIDE, "zoff")
    found: set[str] = set()
    while game.outcome(state) is None and state.round <= EARLY:
        seat = game.to_act(state)[-1] if game.to_act(state)[0] == 0 else game.to_act(state)[0]
        view = game.view(state, seat)
        if seat == 0 and state.phase is ZoffPhase.PLACE and is_refused_as_equal(view):
            found.add("equal")
        action = newcomer(view, rng) if seat == 0 else guide.choose(view, rng)
        applied = game.apply(state, seat, action)
        found |= set(told(applied.events))
        state = applied.state
    return found


def is_refused_as_equal(view: ZoffView) -> bool:
    """Whether the first number that is refused would make two herds equal: what the coach looks for."""
    legal: JsonObject = expect_object(view.to_json()["legal"], "legal")
    refused: Any = legal["refused"]
    return bool(refused) and refused[0]["reason"]["code"] == "equal_herd"


def told(events: Any) -> Iterator[str]:
    """The moments that events are about, for the newcomer in seat 0."""
    for event in events:
        match event:
            case Precedence(turns=turns) if len(turns) > 1:
                if turns[0].reason.code == "has_herd" and any(turn.seat == 0 for turn in turns):
                    yield "herd first"
            case Filled():
                yield "filled"
            case BonusPlaced(seat=0):
                yield "own bonus"
            case _:
                pass


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_rules_of_zoff_come_up_early_in_most_coached_games(players: int) -> None:
    """Z4.2, Z4.4, Z5.1: who goes first, no equal herds, filling, and a bonus of one's own."""
    games = [
        zoff_moments(players, newcomer, seed)
        for newcomer in (grab, stay, wander)
        for seed in range(GAMES_EACH)
    ]
    for moment in ("herd first", "equal", "filled", "own bonus"):
        share = sum(moment in found for found in games) / len(games)
        assert share >= MOST, f"{moment}: {share:.0%} with {players} players"


# --- Buffalo ---


def buffalo_moments(newcomer: int, seed: int) -> set[str]:
    """The moments of the first 24 moves, for a newcomer on this side who moves a little sensibly."""
    game, spec = BuffaloGame(), GAMES["buffalo"]
    rules = spec.new_rules(2, {})
    start = coached_start(spec, rules, newcomer)
    state: Any = begin_from(game, rules, TableStart(*start) if start else TableStart()).state
    rng, guide = random.Random(seed), bot_named(GUIDE, "buffalo")
    beginner = bot_named("1", "buffalo")
    found: set[str] = set()
    for _ in range(24):
        if game.outcome(state) is not None:
            break
        seat = game.to_act(state)[0]
        player = beginner if seat == newcomer else guide
        applied = game.apply(state, seat, player.choose(game.view(state, seat), rng))
        state = applied.state
        for event in applied.events:
            match event:
                case Moved(seat=mover, piece=piece, move=move):
                    found |= moved(mover != newcomer, str(piece), str(move))
                case Blocked():
                    found.add("blocked")
                case Captured():
                    found.add("captured")
                case _:
                    pass
    return found


def moved(by_guide: bool, piece: str, move: str) -> set[str]:
    """The moments of a move."""
    if not by_guide:
        return set()
    if "dog" in piece.lower():
        return {"dog"}
    return {"threat"} if move.endswith("3") else {"capture now"} if move.endswith("2") else set()


@pytest.mark.parametrize(
    ("newcomer", "moments"),
    [(0, {"dog", "blocked"}), (1, {"capture now", "captured"})],
)
def test_the_rules_of_buffalo_come_up_early_in_most_coached_games(
    newcomer: int, moments: set[str]
) -> None:
    """B2.3–B2.5: what a dog can do, blocking, and the capture that the chief has to make."""
    games = [buffalo_moments(newcomer, seed) for seed in range(20)]
    for moment in moments:
        share = sum(moment in found for found in games) / len(games)
        assert share >= MOST, f"{moment}: {share:.0%}"
