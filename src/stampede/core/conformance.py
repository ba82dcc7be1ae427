"""A conformance suite for every game of the contract, shipped so that a new game can be tested with it.

`check_game` plays random games and asserts what the contract promises. It raises AssertionError with the seed and the
step at fault.
"""

from __future__ import annotations

import random
from itertools import islice
from typing import TypeVar

from stampede.core.errors import ActionError
from stampede.core.game import Game
from stampede.core.json import JsonObject, canonical
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay

__all__ = ["check_game"]

R = TypeVar("R")
S = TypeVar("S")
A = TypeVar("A")
D = TypeVar("D")

LISTED = 200
"""How many legal actions of a decision are looked at one by one."""


def check_game(game: Game[R, S, A, D], rules: R, seed: int) -> Playthrough[R, S, A, D]:
    """Plays one random game and checks every promise of the contract on the way.

    Args:
        game: The game.
        rules: The rule set to play.
        seed: Repeats the same game.

    Returns:
        The game that was played.
    """
    rng = random.Random(seed)
    played = Playthrough(game, rules, game.draw(rules, rng))
    assert game.read_rules(game.write_rules(rules)) == rules, "a rule set reads back"
    while seats := game.to_act(played.state):
        seat = rng.choice(seats)
        where = f"seed {seed}, step {len(played.turns)}, seat {seat}"
        check_decision(game, played.state, seat, where)
        check_views(game, played.state, where)
        played.play(seat, game.legal(played.state, seat).sample(rng))
        check_sealed(game, played.state, where)
    check_end(played, f"seed {seed}")
    return played


def check_decision(game: Game[R, S, A, D], state: S, seat: int, where: str) -> None:
    """Legal actions are unique by name, read back from JSON, and can be carried out; states don't change."""
    legal = game.legal(state, seat)
    listed = list(islice(legal, LISTED))
    assert len(legal) >= len(listed) > 0, f"{where}: a seat that is asked has an answer"
    names = [canonical(game.write_action(action)) for action in listed]
    assert len(set(names)) == len(names), f"{where}: action names are unique"
    before = canonical(game.view(state, seat).to_json())
    for action in listed[:20]:
        assert action in legal, f"{where}: a listed action is legal"
        assert game.read_action(state, game.write_action(action)) == action, (
            f"{where}: an action reads back"
        )
        first, again = (game.apply(state, seat, action) for _ in range(2))
        assert first == again, f"{where}: applying is repeatable"
    assert canonical(game.view(state, seat).to_json()) == before, f"{where}: states don't change"


def check_sealed(game: Game[R, S, A, D], state: S, where: str) -> None:
    """A sealed answer can be opened again: then its seat is asked as before, and its view doesn't hold it."""
    for seat in range(game.seats(game.read_rules(_rules_of(game, state)))):
        is_sealed = seat not in game.to_act(state) and len(game.legal(state, seat)) > 0
        opened = game.take_back(state, seat)
        assert (opened is not None) == is_sealed, f"{where}: what is sealed can be taken back"
        if opened is not None:
            assert seat in game.to_act(opened.state), f"{where}: seat {seat} is asked again"
            assert game.take_back(opened.state, seat) is None, f"{where}: nothing is left sealed"


def check_views(game: Game[R, S, A, D], state: S, where: str) -> None:
    """Views are JSON, and only a seat that may act has legal actions in its own."""
    count = game.seats(game.read_rules(_rules_of(game, state)))
    for viewer in (None, *range(count)):
        data = game.view(state, viewer).to_json()
        assert canonical(data), f"{where}: a view is JSON"
        assert "legal" in data, f"{where}: a view says what is legal"


def _rules_of(game: Game[R, S, A, D], state: S) -> JsonObject:
    rules = game.view(state, None).to_json()["rules"]
    assert isinstance(rules, dict), "a view names the rule set"
    return rules


def check_end(played: Playthrough[R, S, A, D], where: str) -> None:
    """A finished game stays finished, and its record replays to the same end."""
    game, state = played.game, played.state
    outcome = game.outcome(state)
    assert outcome is not None, f"{where}: no seat is to act, so it's over"
    assert outcome.winners, f"{where}: there is a winner"
    seats = game.seats(played.rules)
    for seat in range(seats):
        assert not list(game.legal(state, seat)), f"{where}: nothing is legal after the end"
        try:
            game.apply(state, seat, played.turns[-1].action)
        except ActionError:
            continue
        raise AssertionError(f"{where}: a finished game takes no action")
    record = played.record(
        tuple(SeatInfo(f"seat {seat}", "bot", "random") for seat in range(seats))
    )
    read = GameRecord.loads(record.dumps())
    assert read == record, f"{where}: a record reads back"
    again = replay(game, read)
    assert again.outcome == played.outcome, f"{where}: a record replays to the same end"
    assert again.steps() == played.steps(), f"{where}: a record replays to the same steps"
