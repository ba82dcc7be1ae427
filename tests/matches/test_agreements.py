"""What people agree on: to abort, to take moves back, to pause. One who doesn't agree is enough."""

from __future__ import annotations

import pytest

from stampede.core.errors import InputError
from stampede.matches import SYSTEM
from stampede.matches.commands import Act, Leave, Resign, Vote, VoteTopic
from stampede.matches.errors import Forbidden, StaleDecision, WrongPhase
from tests.matches.sitting import Sitting, buffalo, clock, person, zoff


def fen(sitting: Sitting) -> str:
    return str(sitting.game_state.position.fen())


def moved(*moves: str, bots: int = 0, **settings: bool) -> Sitting:
    """A game of Buffalo after these moves."""
    sitting = buffalo(bots, **settings)
    sitting.sit(*range(2 - bots))
    for number, move in enumerate(moves):
        sitting.act(number % 2, move)
    return sitting


def test_a_game_is_aborted_when_all_people_agree() -> None:
    sitting = zoff(4, 1)
    sitting.sit(0, 1, 2)
    sitting.vote(VoteTopic.ABORT, 0, 2)
    (proposal,) = sitting.table.view_for(None).proposals
    assert (proposal.on, proposal.agreed, proposal.asked) == ("abort", (0, 2), (0, 1, 2))
    sitting.act(0)
    sitting.vote(VoteTopic.ABORT, 1)
    view = sitting.table.view_for(0)
    assert (view.phase, view.decision, view.results[0].aborted) == ("over", None, True)
    record = sitting.table.record()
    assert record.result is None
    assert record.meta["aborted"] is True
    sitting.check_log()


def test_one_who_declines_is_enough() -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.vote(VoteTopic.ABORT, 0, 1)
    sitting.vote(VoteTopic.ABORT, 2, agree=False)
    assert sitting.table.view_for(None).proposals == ()
    with pytest.raises(WrongPhase, match="expected a proposal"):
        sitting.vote(VoteTopic.ABORT, 2, agree=False)
    assert sitting.phase == "playing"


@pytest.mark.parametrize(("player", "withdrawn"), [(0, True), (1, True), (2, False)])
def test_everyone_is_told_who_withdraws_or_declines(player: int, withdrawn: bool) -> None:
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.vote(VoteTopic.ABORT, 0, 1)
    sitting.vote(VoteTopic.ABORT, player, agree=False)
    message = sitting.table.messages(None)[-1]
    assert (message.kind, message.player, message.data["agree"]) == ("vote", player, False)
    assert (message.data["withdrawn"], message.data["proposer"]) == (withdrawn, 0)
    assert sitting.table.view_for(None).proposals == ()
    sitting.check_log()


def test_a_rematch_can_be_declined() -> None:
    sitting = moved("a7a6")
    sitting.do(Resign(0), person(0))
    sitting.vote(VoteTopic.NEXT, 0)
    sitting.vote(VoteTopic.NEXT, 1, agree=False)
    assert (sitting.phase, sitting.table.view_for(None).proposals) == ("over", ())
    sitting.vote(VoteTopic.NEXT, 1, 0)
    assert sitting.table.view_for(None).number == 2


def test_a_player_who_is_away_is_asked_before_a_game_is_aborted() -> None:
    """Else a lost game could be aborted as soon as the winner's line breaks."""
    sitting = zoff(3, clock=clock("move", 60_000))
    sitting.sit(0, 1, 2)
    sitting.act(0)
    sitting.act(1)
    sitting.wait(60_000)
    sitting.vote(VoteTopic.ABORT, 0, 1)
    assert sitting.phase == "playing"
    sitting.vote(VoteTopic.PAUSE, 0, 1)
    assert sitting.table.state.phase.value == "paused"


def test_an_undo_goes_back_to_before_the_proposers_move() -> None:
    sitting = moved("a7a6")
    start = "bbbbbbbbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1"
    old = sitting.decision
    sitting.vote(VoteTopic.UNDO, 0)
    assert fen(sitting) != start
    sitting.vote(VoteTopic.UNDO, 1)
    assert (fen(sitting), sitting.awaited()) == (start, (0,))
    assert sitting.decision not in (old, "1.1"), "nothing stale can answer it"
    message = sitting.table.messages(None)[-1]
    assert (message.data["done"], message.data["undone"]) == (True, 1)
    sitting.act(0, "b7b6")
    assert sitting.table.record().actions == ("b7b6",)
    sitting.check_log()


def test_an_undo_takes_the_answer_with_it() -> None:
    sitting = moved("a7a6", "d2d3")
    sitting.vote(VoteTopic.UNDO, 0, 1)
    assert sitting.awaited() == (0,)
    assert sitting.table.record().actions == ()


def test_against_a_bot_nobody_else_is_asked() -> None:
    sitting = moved("a7a6", bots=1)
    sitting.bots_act()
    sitting.vote(VoteTopic.UNDO, 0)
    assert sitting.table.record().actions == ()
    assert sitting.awaited() == (0,)


def test_a_bots_answer_to_an_undone_move_comes_too_late() -> None:
    sitting = moved("a7a6", bots=1)
    (request,) = sitting.table.bot_requests()
    answer = sitting.table.fallback(request)
    sitting.vote(VoteTopic.UNDO, 0)
    with pytest.raises(StaleDecision):
        sitting.do(request.command(answer), SYSTEM, request.key)


def test_a_retried_move_that_was_undone_is_not_made_again() -> None:
    sitting = buffalo()
    sitting.sit(0, 1)
    first = sitting.act(0, "a7a6", key="mine")
    sitting.vote(VoteTopic.UNDO, 0, 1)
    assert sitting.do(Act(0, "1.1", "a7a6"), person(0), "mine") == first
    assert sitting.table.record().actions == ()


def test_a_proposed_undo_lapses_with_the_next_move() -> None:
    sitting = moved("a7a6")
    sitting.vote(VoteTopic.UNDO, 0)
    sitting.act(1, "d2d3")
    assert sitting.table.view_for(None).proposals == ()
    with pytest.raises(StaleDecision):
        sitting.do(Vote(1, VoteTopic.UNDO, decision="1.2"), person(1))
    sitting.vote(VoteTopic.UNDO, 1)
    assert sitting.table.record().actions == ("a7a6", "d2d3")


def test_there_is_no_undo_without_a_move() -> None:
    sitting = moved()
    with pytest.raises(WrongPhase, match="hasn't moved"):
        sitting.vote(VoteTopic.UNDO, 0)


def test_there_is_never_an_undo_where_something_is_hidden() -> None:
    """Z3.4: choices that were seen stay seen."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    for player in range(3):
        sitting.act(player)
    with pytest.raises(InputError, match="undo"):
        sitting.vote(VoteTopic.UNDO, 0)


def test_a_table_can_do_without_undo() -> None:
    sitting = moved("a7a6", undo=False)
    with pytest.raises(InputError, match="undo"):
        sitting.vote(VoteTopic.UNDO, 0)


def test_a_program_is_asked_only_where_it_could_lose_by_it() -> None:
    """Programs from outside needn't know votes to be played against."""
    sitting = buffalo()
    sitting.sit(0)
    sitting.sit(1, program=True)
    sitting.vote(VoteTopic.PAUSE, 0)
    sitting.vote(VoteTopic.RESUME, 0)
    sitting.vote(VoteTopic.ABORT, 0)
    assert sitting.phase == "playing"
    sitting.vote(VoteTopic.ABORT, 1)
    sitting.vote(VoteTopic.NEXT, 0)
    assert sitting.table.view_for(None).number == 2


def test_nobody_votes_for_others() -> None:
    sitting = moved("a7a6")
    with pytest.raises(Forbidden):
        sitting.do(Vote(1, VoteTopic.ABORT), person(0))


def test_proposals_lapse_when_people_change() -> None:
    """A newcomer hasn't agreed to anything."""
    sitting = zoff(3)
    sitting.sit(0, 1, 2)
    sitting.vote(VoteTopic.ABORT, 0, 1)
    sitting.do(Leave(2), person(2))
    assert sitting.table.view_for(None).proposals == ()
    sitting.vote(VoteTopic.ABORT, 0, 1)
    assert sitting.phase == "over", "who has left isn't asked"


@pytest.mark.parametrize("matter", [VoteTopic.RESUME, VoteTopic.NEXT])
def test_some_matters_are_for_other_phases(matter: VoteTopic) -> None:
    sitting = moved("a7a6")
    with pytest.raises(WrongPhase):
        sitting.vote(matter, 0)
