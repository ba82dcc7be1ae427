"""How a game ends outside its rules, and how a record that stops too early is refused."""

import random
from dataclasses import replace

import pytest

from stampede.buffalo import BuffaloGame, BuffaloRules, Move
from stampede.core.errors import GameOver, RecordError, RuleSetError
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay
from stampede.core.series import Rematch
from stampede.zoff import ZoffGame, ZoffRules


def test_after_a_forfeit_nothing_can_be_played_until_it_is_undone() -> None:
    rules = BuffaloRules()
    game = Playthrough(BuffaloGame(), rules, BuffaloGame().draw(rules, random.Random(1)))
    game.play(0, Move.parse("a7a6"))
    with pytest.raises(ValueError, match="expected a reason of"):
        game.forfeit((0,), "boredom")
    game.forfeit((1,), "resigned")
    with pytest.raises(GameOver, match="resigned"):
        game.play(1, Move.parse("f2f3"))
    with pytest.raises(GameOver, match="ended already"):
        game.forfeit((0,), "resigned")
    assert game.undo() is not None
    assert game.outcome is None
    assert game.undo() is None


def zoff_record(rounds: int) -> GameRecord:
    """A random game of Zoff that stops after some rounds."""
    game, rules, rng = ZoffGame(), ZoffRules(players=3), random.Random(3)
    played = Playthrough(game, rules, game.draw(rules, rng))
    while played.state.round <= rounds:
        seat = game.to_act(played.state)[0]
        played.play(seat, game.legal(played.state, seat).sample(rng))
    seats = tuple(SeatInfo(name) for name in ("Ann", "Ben", "Cleo"))
    setup = game.write_setup(played.start)
    return GameRecord(game.name, game.write_rules(rules), seats, setup, tuple(played.steps()))


def test_a_sealed_choice_without_its_companions_is_refused() -> None:
    """Choices are revealed together: a record can't hold one alone."""
    record = zoff_record(1)
    assert replay(ZoffGame(), record).state.round == 2
    alone = replace(record, actions=record.actions[:1])
    with pytest.raises(RecordError, match="expected the answers of seats"):
        replay(ZoffGame(), alone)


def test_a_rematch_has_the_same_rules_and_takes_no_choice() -> None:
    series = Rematch({"players": 4}, 4)
    assert series.rules(series.default_choice()) == {"players": 4}
    assert (series.seating, series.winner, series.chooser) == ((0, 1, 2, 3), None, None)
    with pytest.raises(RuleSetError, match="expected none in a rematch, got a7"):
        series.rules(("a7",))
