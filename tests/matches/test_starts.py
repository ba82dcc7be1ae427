"""Tables whose games go on from a point of a record: for one person, against bots, and for nothing."""

from __future__ import annotations

import random
from typing import Any

import pytest

from stampede.core.errors import InputError
from stampede.core.json import JsonObject
from stampede.core.playthrough import Playthrough
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.matches import ChairPlan, TableSettings
from stampede.matches.commands import Resign, SetChair, VoteTopic
from stampede.matches.errors import Forbidden, MatchError
from stampede.matches.fair import UnprovenDeal, verify_deal
from stampede.matches.settings import TableStart
from tests.matches.sitting import BUFFALO_RULES, HOST, Sitting, person, zoff_rules

BOT = ChairPlan("random")
PARTLY = "bb1bbbbbbbb/2b8/11/11/5C5/3DD1DD3/11 w - - 0 2"


def finished(game: str, rules: JsonObject) -> Playthrough[Any, Any, Any, Any]:
    """A whole game by chance."""
    spec, rng = game_named(game), random.Random(5)
    read = spec.game.read_rules(rules)
    played = Playthrough(spec.game, read, spec.game.draw(read, rng))
    while played.outcome is None:
        seat = played.to_act[-1]
        played.play(seat, played.legal(seat).sample(rng))
    return played


def goes_on(game: str, rules: JsonObject, start: TableStart, **more: Any) -> Sitting:
    seats = game_named(game).game.seats(game_named(game).game.read_rules(rules))
    chairs = (ChairPlan(), *[BOT] * (seats - 1))
    sitting = Sitting(TableSettings(game, rules, chairs, start=start, **more))
    sitting.sit(0)
    return sitting


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        ("buffalo", BUFFALO_RULES),
        ("zoff", zoff_rules(3)),
        ("zoff", zoff_rules(2)),
        ("zoff", zoff_rules(4, auction=True)),
    ],
)
def test_a_game_goes_on_from_any_point_of_a_record_and_makes_a_record(
    game: str, rules: JsonObject
) -> None:
    played = finished(game, rules)
    whole, rules = played.record(), played.game.write_rules(played.rules)
    for turns in range(0, len(played.turns), max(1, len(played.turns) // 7)):
        events = [event for turn in played.turns[:turns] for event in turn.events]
        steps = whole.actions[: len(played.game.write_steps(events))]
        sitting = goes_on(game, rules, TableStart(whole.setup, steps))
        state = sitting.table.state
        assert [*played.game.write_steps(state.running.events)] == [*steps]
        assert state.running.stack == (), "nothing of it can be taken back"
        sitting.play_out()
        sitting.check_log()
        record = sitting.table.record(None)
        assert record.actions[: len(steps)] == steps
        assert record.meta["begun_with"] == len(steps)
        assert replay(played.game, record).outcome is not None
        with pytest.raises(UnprovenDeal):
            verify_deal(played.game, record)


def test_a_start_is_hidden_and_every_game_of_the_table_begins_there() -> None:
    sitting = goes_on("buffalo", BUFFALO_RULES, TableStart({"start": PARTLY}, ("f3f4",)))
    for viewer in (0, None):
        view: Any = sitting.table.snapshot(viewer)
        assert view["settings"]["start"] == {"setup": {}, "actions": []}
        assert view["deal"] is None
    with pytest.raises(MatchError):
        sitting.vote(VoteTopic.UNDO, 0)
    before = sitting.game_state
    sitting.do(Resign(0), person(0))
    with pytest.raises(Forbidden, match="one person"):
        sitting.do(SetChair(1, None), HOST)
    sitting.vote(VoteTopic.NEXT, 0)
    assert sitting.game_state == before


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"rated": True}, "rated"),
        ({"public": True}, "public"),
        ({"series": "ladder"}, "series"),
        ({"chairs": (ChairPlan(), ChairPlan())}, "one person"),
        ({"chairs": (BOT, BOT)}, "one person"),
        ({"start": TableStart({}, ("f7f5",))}, "step 0"),
        ({"start": TableStart({"start": "nonsense"})}, "FEN"),
        ({"start": TableStart({"hands": {}})}, "setup"),
        ({"start": TableStart({"start": "11/11/11/11/11/3DDCDD3/5b5 w - - 0 9"})}, "its end"),
    ],
)
def test_a_start_that_cant_be_is_refused_with_the_reason(change: JsonObject, named: str) -> None:
    usual: Any = {"chairs": (ChairPlan(), BOT), "start": TableStart({"start": PARTLY})}
    with pytest.raises(InputError, match=named):
        Sitting(TableSettings("buffalo", BUFFALO_RULES, **{**usual, **change}))
