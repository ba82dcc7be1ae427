"""Taking back where something is hidden: alone against bots, and never across a reveal."""

from __future__ import annotations

import pytest

from stampede.core.errors import InputError
from stampede.matches import SYSTEM
from stampede.matches.commands import Leave, Vote, VoteTopic
from stampede.matches.errors import Forbidden, StaleDecision, WrongPhase
from stampede.matches.state import Phase
from tests.matches.sitting import Sitting, buffalo, bytes_for, person, zoff, zoff_rules


def free(sitting: Sitting) -> tuple[int, ...]:
    """The players who can take back at once, as every viewer is told."""
    decisions = [sitting.table.view_for(viewer).decision for viewer in (None, 0)]
    assert all(decision is not None for decision in decisions)
    (told,) = {decision.take_back for decision in decisions if decision is not None}
    return told


def phase_of(sitting: Sitting) -> str:
    return str(sitting.game_state.phase.value)


def is_asked(sitting: Sitting, *phases: str) -> bool:
    sitting.bots_act()
    return phase_of(sitting) in phases and sitting.awaited() == (0,)


def alone(*phases: str, players: int = 3, seed: int = 0, **settings: bool) -> Sitting:
    """A person against bots, asked in one of these phases."""
    for number in range(1 + 20 * seed, 21 + 20 * seed):
        sitting = zoff(players, players - 1, seed=number, **settings)
        sitting.sit(0)
        while sitting.table.state.phase is Phase.PLAYING:
            if is_asked(sitting, *phases):
                return sitting
            sitting.step()
    raise AssertionError(f"nothing is asked in {phases}")


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("phase", ["place", "bonus"])
def test_an_open_answer_is_taken_back_with_the_bots_answers(phase: str, seed: int) -> None:
    sitting = alone(phase, seed=seed)
    before, played, old = (
        sitting.game_state,
        sitting.table.state.running.actions,
        sitting.decision,
    )
    sitting.act(0)
    sitting.bots_act()
    assert free(sitting) == (0,)
    sitting.vote(VoteTopic.UNDO, 0)
    assert sitting.game_state == before
    assert sitting.table.state.running.actions == played
    assert sitting.decision != old, "no stale answer fits"
    assert sitting.awaited() == (0,)
    assert sitting.table.messages(0)[-1].data["undone"] in range(1, 40)
    sitting.check_log()
    sitting.play_out()
    sitting.check_log()
    sitting.table.record()


def test_the_log_keeps_what_was_taken_back() -> None:
    sitting = alone("place")
    sitting.act(0)
    entries = list(sitting.log)
    sitting.vote(VoteTopic.UNDO, 0)
    assert sitting.log[:-1] == entries


def test_nothing_is_taken_back_across_a_reveal() -> None:
    """Z3.4: choices that were seen stay seen."""
    sitting = zoff(3, 2)
    sitting.sit(0)
    sitting.bots_act()
    sitting.act(0)
    assert sitting.game_state.laid, "the choices are revealed"
    assert free(sitting) == ()
    with pytest.raises(WrongPhase, match="since a reveal"):
        sitting.vote(VoteTopic.UNDO, 0)


@pytest.mark.parametrize("seed", range(1, 9))
def test_no_state_from_before_a_reveal_is_kept(seed: int) -> None:
    """In a whole game: what can be gone back to never holds sealed answers that were revealed since."""
    sitting = zoff(3, 2, seed=seed, rules=zoff_rules(3, auction=True))
    sitting.sit(0)
    while sitting.table.state.phase is Phase.PLAYING:
        sitting.step()
        match = sitting.table.state.running
        revealed = [
            len(match.actions) - number
            for number, action in enumerate(match.actions)
            if any(event.kind in ("revealed", "bid_shown") for event in action.events)
        ]
        assert len(match.stack) < min(revealed, default=len(match.stack) + 1)


def test_a_take_back_drops_the_sealed_choices_behind_it_unseen() -> None:
    """The bots' choices of the next round were never shown, and aren't shown by going back."""
    sitting = alone("place", "bonus")
    sitting.play_until(lambda: is_asked(sitting, "choose") and free(sitting) == (0,))
    sealed = [answer for answer in sitting.game_state.sealed if answer is not None]
    assert len(sealed) == 2, "the bots have chosen"
    before = bytes_for(sitting.table, 0)
    sitting.vote(VoteTopic.UNDO, 0)
    after = bytes_for(sitting.table, 0)
    assert phase_of(sitting) in ("place", "bonus")
    assert not any(sitting.game_state.sealed)
    for choice in sealed:
        for pair in choice.pairs:
            text = f'["{pair.pasture}","{pair.card}"]'
            assert before.count(text) == after.count(text)
    sitting.check_log()


def test_one_step_at_a_time_back_to_the_reveal() -> None:
    sitting = alone("place", players=5)
    sitting.play_until(lambda: is_asked(sitting, "choose") and free(sitting) == (0,))
    answers = [
        action
        for action in sitting.table.state.running.actions[-len(sitting.table.state.running.stack) :]
        if action.seat == 0
    ]
    for _ in answers:
        sitting.vote(VoteTopic.UNDO, 0)
    assert free(sitting) == ()
    with pytest.raises(WrongPhase, match="since a reveal"):
        sitting.vote(VoteTopic.UNDO, 0)


def test_with_a_second_person_nothing_hidden_is_taken_back() -> None:
    sitting = zoff(3, 1)
    sitting.sit(0, 1)
    while phase_of(sitting) not in ("place", "bonus") or sitting.table.bot_requests():
        sitting.step()
    (asked,) = sitting.awaited()
    sitting.act(asked)
    assert sitting.table.state.running.stack == ()
    assert free(sitting) == ()
    with pytest.raises(InputError, match="allow an undo"):
        sitting.do(Vote(asked, VoteTopic.UNDO, decision=sitting.decision), person(asked))


def test_a_player_who_has_left_may_come_back_and_counts() -> None:
    sitting = zoff(3, 1)
    sitting.sit(0, 1)
    sitting.do(Leave(1), person(1))
    sitting.play_until(lambda: is_asked(sitting, "place", "bonus"))
    sitting.act(0)
    assert free(sitting) == ()


def test_a_rated_game_has_no_free_take_back_where_something_is_hidden() -> None:
    sitting = alone("place", rated=True)
    sitting.act(0)
    assert free(sitting) == ()
    with pytest.raises(InputError, match="allow an undo"):
        sitting.vote(VoteTopic.UNDO, 0)


def test_a_table_can_do_without_take_backs() -> None:
    sitting = alone("place", undo=False)
    sitting.act(0)
    assert free(sitting) == ()
    with pytest.raises(InputError, match="allow an undo"):
        sitting.vote(VoteTopic.UNDO, 0)


def test_nobody_else_takes_back_for_the_player() -> None:
    sitting = alone("place")
    sitting.act(0)
    with pytest.raises(Forbidden):
        sitting.do(Vote(0, VoteTopic.UNDO, decision=sitting.decision), person(1))


def test_a_bots_answer_to_what_was_taken_back_comes_too_late() -> None:
    sitting = alone("place", players=5, seed=3)
    sitting.play_until(
        lambda: (
            is_asked(sitting, "place")
            and bool(sitting.act(0))
            and sitting.table.bot_requests() != ()
        )
    )
    request = sitting.table.bot_requests()[0]
    sitting.vote(VoteTopic.UNDO, 0)
    with pytest.raises(StaleDecision):
        sitting.do(request.command(sitting.any_action(0)), SYSTEM, request.key)


def test_buffalo_tells_when_the_last_move_can_be_taken_back_at_once() -> None:
    sitting = buffalo(1)
    sitting.sit(0)
    assert free(sitting) == ()
    sitting.act(0, "a7a6")
    assert free(sitting) == (0,)
    sitting.bots_act()
    assert free(sitting) == (0,)
    sitting.vote(VoteTopic.UNDO, 0)
    assert free(sitting) == ()
    two = buffalo()
    two.sit(0, 1)
    two.act(0, "a7a6")
    assert free(two) == (), "the other player is asked"
