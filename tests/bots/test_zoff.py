"""Zoff's bots: legal in every phase and variant, repeatable, blind to secrets, and honest about what they remember."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise, product

import pytest

from stampede.bots import RandomBot, bot_named, bot_names, temperaments_of
from stampede.bots.preparation import needs_compiled_code
from stampede.bots.zoff.determinization import determinize
from stampede.bots.zoff.levels import TEMPERAMENTS, level_of
from stampede.bots.zoff.memory import Memory
from stampede.bots.zoff.player import ZoffBot, zoff_bot
from stampede.buffalo import BuffaloGame, BuffaloRules, Position
from stampede.core.bot import RememberingBot, give_memory
from stampede.core.errors import InputError, NotToAct
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.search.zoff.strategy import Effort
from stampede.zoff import Deal, State, ZoffAction, ZoffGame, ZoffPhase, ZoffRules
from stampede.zoff.edition import MAX_BONUS
from stampede.zoff.view import ZoffView
from tests.zoff.drawn_editions import draw_edition

GAME = ZoffGame()
Game = Playthrough[ZoffRules, State, ZoffAction, Deal]
LEAN = Effort(pool=8, samples=2, keep=4, rounds=60, leaves=30, exact=True)


def lean(number: int, temperament: str = "balanced") -> ZoffBot:
    """A bot of this level that thinks very little."""
    level = level_of(number)
    return ZoffBot(replace(level, effort=LEAN, duel=None, crowd=None), temperament)


def test_the_top_level_expects_errors_of_several_others_and_plays_safe_against_one() -> None:
    """Choices are predicted and halved; with two players it is regret matching and an exact last round."""
    top = level_of(6)
    several, one = top.effort_for(3), top.effort_for(2)
    assert several is not None
    assert one is not None
    assert several.halving_samples > 0
    assert one.halving_samples == 0
    assert one.exact


def test_with_two_players_each_level_thinks_more_than_the_one_below() -> None:
    """The steps are budgets, not blunders: nothing is less, something is more."""
    efforts = [level_of(number).effort_for(2) for number in (3, 4, 5, 6)]
    for below, above in pairwise(efforts):
        assert below is not None
        assert above is not None
        for name in ("pool", "samples", "keep", "rounds", "leaves", "answer_playouts"):
            assert getattr(below, name) <= getattr(above, name)
        assert below != above


def test_with_six_players_level_5_thinks_less_than_with_five_and_more_than_level_4() -> None:
    """So that level 6 is a step above it there, too. Other levels think as with five."""
    four, five = level_of(4).effort_for(6), level_of(5).effort_for(6)
    for name in ("pool", "samples", "keep", "rounds", "leaves"):
        least, most = getattr(four, name), getattr(level_of(5).effort_for(5), name)
        assert least < getattr(five, name) <= most
    assert five != level_of(5).effort_for(5)
    for number in (1, 2, 3, 4, 6):
        assert level_of(number).effort_for(6) == level_of(number).effort_for(5)


def dealt(rules: ZoffRules, seed: int) -> Game:
    return Playthrough(GAME, rules, GAME.draw(rules, random.Random(seed)))


def play(played: Game, bots: list[ZoffBot], seed: int, until: int = 10_000) -> Game:
    """Lets the bots play on, each answer checked against the listed ones."""
    rng = random.Random(seed)
    while (awaited := GAME.to_act(played.state)) and until:
        seat = awaited[0]
        view = GAME.view(played.state, seat)
        action = bots[seat].with_memory(played.events).choose(view, rng)
        assert action in view.legal
        if played.state.phase in (ZoffPhase.PLACE, ZoffPhase.BONUS, ZoffPhase.PICK):
            assert action in list(view.legal)
        played.play(seat, action)
        until -= 1
    return played


@pytest.mark.parametrize(
    ("players", "fair", "auction"), list(product((2, 3, 4, 5, 6), (False, True), (False, True)))
)
def test_bots_answer_legally_in_every_phase_of_every_variant(
    players: int, fair: bool, auction: bool
) -> None:
    """Z3–Z5, Z10.2, Z11: settling, bids, picks, choices, placements, bonuses."""
    rules = ZoffRules(players=players, fair=fair, auction=auction)
    bots = [lean(1 + seat) for seat in range(players)]
    assert play(dealt(rules, players), bots, 5).outcome is not None


def test_the_same_seed_gives_the_same_game() -> None:
    bots = [lean(6), lean(5), lean(4)]
    games = [play(dealt(ZoffRules(players=3), 4), bots, 9).steps() for _ in range(2)]
    assert games[0] == games[1]


def test_a_bot_that_remembers_knows_the_hands_and_one_that_does_not_guesses() -> None:
    """Z6.1, Z9.1: from what was turned up, exactly the cards that the others still hold."""
    played = play(dealt(ZoffRules(players=4), 1), [lean(2)] * 4, 1, until=40)
    assert played.state.round >= 2
    state, view = played.state, GAME.view(played.state, 1)
    assert isinstance(view, ZoffView)
    rng = random.Random(3)
    remembered = determinize(view, Memory.of(played.events), rng)
    assert remembered.hands == state.hands
    guesses = {determinize(view, Memory(), rng).hands for _ in range(5)}
    assert len(guesses) > 1
    own = state.owners.index(1)
    assert all(hands[own] == state.hands[own] for hands in guesses)
    assert all(
        [len(hand) for hand in hands] == [len(hand) for hand in state.hands] for hands in guesses
    )


def test_the_memory_of_another_game_is_refused() -> None:
    old = play(dealt(ZoffRules(players=3), 2), [lean(2)] * 3, 1)
    bot = lean(5).with_memory(old.events)
    with pytest.raises(InputError, match="it remembers another game"):
        bot.choose(GAME.view(dealt(ZoffRules(players=3), 5).state, 0), random.Random(1))


def test_half_a_memory_is_still_a_possible_one() -> None:
    memory = Memory.of(play(dealt(ZoffRules(players=3), 2), [lean(2)] * 3, 1).events)
    faded = memory.forget(0.5, random.Random(1))
    assert 0 < len(faded.cards) < len(memory.cards)
    assert set(faded.cards) <= set(memory.cards)


def test_what_a_seat_cannot_see_changes_nothing() -> None:
    """Z3.4: another's sealed choice isn't in the view, so the answer is the same with any."""
    played = dealt(ZoffRules(players=3), 6)
    answers = []
    for seed in range(4):
        sealed = played.game.legal(played.state, 0).sample(random.Random(seed))
        state = GAME.apply(played.state, 0, sealed).state
        answers.append(lean(6).choose(GAME.view(state, 1), random.Random(1)))
    assert len(set(answers)) == 1


def test_an_outdated_request_is_refused() -> None:
    played = dealt(ZoffRules(players=3), 6)
    action = lean(2).choose(GAME.view(played.state, 0), random.Random(1))
    played.play(0, action)
    with pytest.raises(NotToAct, match="expected a view of seat"):
        lean(2).choose(GAME.view(played.state, 0), random.Random(1))
    with pytest.raises(NotToAct):
        lean(2).choose(GAME.view(played.state, None), random.Random(1))


def test_a_view_of_another_game_is_refused() -> None:
    buffalo = BuffaloGame()
    start = buffalo.initial(BuffaloRules(), Position.start())
    with pytest.raises(InputError, match="expected a view of Zoff"):
        lean(2).choose(buffalo.view(start, 0), random.Random(1))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_level_plays_an_edition_drawn_at_random(players: int) -> None:
    """Z1.2: a view carries the printed data, so that no bot needs a file; bonuses are as large as they may be."""
    rng = random.Random(f"bots/{players}")
    edition = draw_edition(rng)
    bonus = (MAX_BONUS,) * 4
    edition = replace(
        edition, pastures=tuple(replace(pasture, bonus=bonus) for pasture in edition.pastures)
    )
    rules = ZoffRules(
        players, auction=players == 3, fair=True, edition=edition.id, edition_data=edition
    )
    bots = [lean(number) for number in rng.sample(range(1, 7), players)]
    if players == 2:
        bots = [lean(1), lean(6)]
    played = play(dealt(rules, 4), bots, 3)
    assert played.outcome is not None
    again = replay(GAME, GameRecord.loads(played.record().dumps()))
    assert again.state == played.state


def test_bots_are_found_by_name_and_wrong_names_are_refused() -> None:
    assert bot_named("zoff-3").name == "zoff-3"
    assert bot_named("4", "zoff").name == "zoff-4"
    assert zoff_bot(6, "spoiler").name == "zoff-6-spoiler"
    with pytest.raises(InputError, match="level: expected 1 to 6, got 7"):
        zoff_bot(7)
    with pytest.raises(InputError, match="temperament: expected one of"):
        zoff_bot(6, "sleepy")


@pytest.mark.parametrize("temperament", list(TEMPERAMENTS))
def test_every_temperament_plays(temperament: str) -> None:
    bots = [lean(5, temperament), lean(2), lean(2)]
    assert play(dealt(ZoffRules(players=3), 8), bots, 2).outcome is not None


def test_a_rebid_is_not_lower() -> None:
    """Z11.1: tied players bid again, not lower."""
    rules = ZoffRules(players=3, auction=True)
    played = dealt(rules, 3)
    view = GAME.view(played.state, 0)
    bid = lean(6).choose(view, random.Random(2))
    for seat in range(3):
        played.play(seat, bid)
    assert played.state.bid_round == 2
    again = lean(6).choose(GAME.view(played.state, 0), random.Random(2))
    assert again in GAME.legal(played.state, 0)


def test_simulations_let_bots_remember() -> None:
    """Z9.1: in a simulation a bot plays as if it had watched: the same answers as with the events handed over."""
    assert isinstance(zoff_bot(5), RememberingBot)
    played = play(dealt(ZoffRules(players=3), 2), [lean(2)] * 3, 1, until=30)
    remembering_bot = give_memory(zoff_bot(5), played.events)
    assert isinstance(remembering_bot, ZoffBot)
    assert remembering_bot.memory == Memory.of(played.events)
    assert give_memory(RandomBot(), played.events) == RandomBot()


def test_a_name_can_end_with_a_temperament_of_its_level() -> None:
    for name in bot_names("zoff"):
        thinks = needs_compiled_code(bot_named(name))
        assert temperaments_of(name) == (tuple(TEMPERAMENTS) if thinks else ())
        for temperament in temperaments_of(name):
            bot = bot_named(f"{name}-{temperament}")
            assert isinstance(bot, ZoffBot)
            assert bot.temperament == temperament
            assert bot_named(bot.name) == bot
    assert bot_named("4-spoiler", "zoff").name == "zoff-4-spoiler"
    for wrong in ("zoff-2-spoiler", "zoff-4-grumpy", "buffalo-4-spoiler", "zoff--spoiler", "-"):
        with pytest.raises(InputError, match="bot: expected random"):
            bot_named(wrong)
