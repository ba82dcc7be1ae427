"""Everything that tables send fits the schema, strictly: views, messages, events, legal actions, changes, frames."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from stampede.core.json import Json, canonical
from stampede.games import GAMES
from stampede.matches import ChairPlan, TableSettings
from stampede.matches.commands import VoteTopic
from stampede.server.app import create_app
from stampede.server.http.schema import GameAction, GameView, Message, TableChanges, TableView
from stampede.server.tables.answers import ServerFrame
from stampede.server.tables.broadcast import _UpdateEncoder
from tests.matches.sitting import Sitting, buffalo, clock, zoff_rules
from tests.server.servers import settings_for
from tests.zoff.arranged import ALL_RULES, HOUSE_RULE_SETS, rules_id

VIEW: TypeAdapter[Any] = TypeAdapter(TableView)
MESSAGES: TypeAdapter[Any] = TypeAdapter(list[Message])
CHANGES: TypeAdapter[Any] = TypeAdapter(TableChanges)
ACTION: TypeAdapter[Any] = TypeAdapter(GameAction)
FRAME: TypeAdapter[Any] = TypeAdapter(ServerFrame)


def fits(adapter: TypeAdapter[Any], value: Json) -> None:
    adapter.validate_json(canonical(value), strict=True)


class Watched:
    """A table whose every entry is checked for every viewer."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.since = 0
        self.checked = 0

    def check(self) -> None:
        """Checks what viewers get of the entries since the last check."""
        table = self.sitting.table
        update = _UpdateEncoder(table, self.since, self.sitting.now)
        for viewer in (None, *range(len(table.state.chairs))):
            fits(VIEW, table.snapshot(viewer))
            fits(VIEW, table.view_for(viewer).to_json())
            fits(MESSAGES, [message.to_json() for message in table.messages(viewer)[-3:]])
            changes = table.changes_since(viewer, self.since)
            if changes is not None:
                fits(CHANGES, changes.to_json())
            for short in (False, True):
                FRAME.validate_json(update.encode(viewer, changes=short), strict=True)
            self.checked += 1
        self.since = table.seq

    def play(self, every: int = 1) -> None:
        """Plays the game to its end, and checks every so many steps."""
        sitting, steps = self.sitting, 0
        while sitting.phase == "playing":
            (player, *_) = sitting.awaited()
            action = sitting.any_action(player)
            fits(ACTION, action)
            self.since = sitting.table.seq
            sitting.act(player, action)
            steps += 1
            if steps % every == 0 or sitting.phase != "playing":
                self.check()


@pytest.mark.parametrize("rules", [*ALL_RULES, *HOUSE_RULE_SETS[4::5]], ids=rules_id)
def test_a_game_of_every_variant_of_zoff_fits_the_schema(rules: Any) -> None:
    variants = {"auction": rules.auction, "fair": rules.fair, "open_discards": rules.open_discards}
    players = rules.players
    settings = TableSettings("zoff", zoff_rules(players, **variants), (ChairPlan(),) * players)
    watched = Watched(Sitting(settings, seed=players))
    watched.check()
    watched.sitting.sit(*range(players))
    watched.check()
    watched.play(every=3)
    assert watched.checked > 10
    fits(MESSAGES, [message.to_json() for message in watched.sitting.table.messages(None)])


@pytest.mark.parametrize("series", ["rematch", "ladder", "both_sides"])
def test_every_series_of_buffalo_fits_the_schema(series: str) -> None:
    watched = Watched(buffalo(series=series, seed=5))
    watched.sitting.sit(0, 1)
    for game in range(4):
        watched.play(every=3)
        standing = watched.sitting.table.state.series
        if standing.winner is not None:
            break
        seat, choice = standing.chooser, standing.default_choice()
        chooser = None if seat is None else standing.seating[seat]
        watched.since = watched.sitting.table.seq
        for player in (0, 1):
            chosen = choice if player == chooser else ()
            watched.sitting.vote(VoteTopic.NEXT, player, choice=chosen)
            watched.check()
        assert watched.sitting.phase == "playing", game


def test_clocks_bots_proposals_and_resignations_fit_the_schema() -> None:
    from stampede.matches.commands import Resign  # noqa: PLC0415 - only here
    from tests.matches.sitting import person  # noqa: PLC0415

    watched = Watched(buffalo(clock=clock("move", 60_000, "forfeit"), seed=7))
    watched.sitting.sit(0, 1)
    watched.sitting.act(0)
    watched.check()
    watched.sitting.vote(VoteTopic.UNDO, 0)
    watched.check()
    watched.sitting.do(Resign(1), person(1))
    watched.check()
    late = Watched(buffalo(clock=clock("move", 60_000, "forfeit"), seed=8))
    late.sitting.sit(0, 1)
    late.sitting.wait(70_000)
    late.check()
    assert late.sitting.table.snapshot(0)["phase"] == "over"


# --- what the schema refuses ---


def some_view(game: str) -> dict[str, Any]:
    spec = GAMES[game]
    rules = spec.game.read_rules(spec.default_rules(spec.seats[-1]))
    state = spec.game.initial(rules, spec.game.draw(rules, random.Random(1)))
    view: dict[str, Any] = dict(spec.game.view(state, 0).to_json())
    return view


def objects(value: Any, where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object inside a JSON value that has fixed keys: those by name of a pasture or colour have others."""
    if isinstance(value, dict):
        if not where.endswith((".herds", ".reserves", ".taken", ".forecast", ".moves")):
            yield where, value
        for key, item in value.items():
            yield from objects(item, f"{where}.{key}" if key.islower() else where)
    elif isinstance(value, list):
        for item in value[:1]:
            yield from objects(item, where)


@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_key_or_a_missing_one_is_refused_anywhere_in_a_view(game: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(GameView)
    view = some_view(game)
    fits(adapter, view)
    tried = 0
    for where, part in objects(view, "view"):
        if where.endswith((".forecast", ".free_colours")) or not part:
            continue
        if set(part) <= {"blue", "green", "pink", "orange", "yellow", "brown", "white", "black"}:
            continue
        part["surplus"] = 1
        with pytest.raises(ValidationError):
            fits(adapter, view)
        del part["surplus"]
        for key in ("name", "capacity", "free", "fen", "captured", "pairs", "cards", "colours"):
            if key in part:
                value = part.pop(key)
                with pytest.raises(ValidationError):
                    fits(adapter, view)
                part[key] = value
        tried += 1
    assert tried >= 3


# --- the OpenAPI ---


def test_every_named_type_is_in_the_description_and_every_field_has_its_type() -> None:
    schemas = create_app(settings_for(Path())).openapi()["components"]["schemas"]
    needed = {"TableView", "TableChanges", "Message", "GameView", "GameAction", "ServerFrame"}
    for game in GAMES:
        word = game.capitalize()
        needed |= {f"{word}{part}" for part in ("View", "Event", "Action", "Reason", "Rules")}
    assert needed <= set(schemas)
    for name in ("TableView", "ZoffView", "BuffaloView", "ChooseLegal", "Placed", "Message"):
        schema = schemas[name]
        assert schema["additionalProperties"] is False
        assert set(schema["required"]) == set(schema["properties"]), name
    assert "Attributes:" not in str([schemas[name].get("description") for name in needed])
    assert schemas["BonusLegal"]["properties"]["from"]["description"] == "The pasture that pays."
    assert not [name for name in schemas if "__" in name], "every type has a name of its own"
