"""The checker of histories accepts what happened, refuses bad histories, and agrees with a search of all orders."""

from collections.abc import Callable
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.matches.sitting import Sitting, buffalo, person
from tests.server.history.checker import Attempt, History, Read, check_history
from tests.server.history.exhaustive import is_linearizable
from tests.server.history.linearizability import (
    NotLinearizable,
    Observation,
    Write,
    check_linearizable,
)

MOMENTS = st.integers(0, 9).map(float)
"""Few and whole, so that intervals meet."""


@st.composite
def intervals(draw: st.DrawFn) -> tuple[float, float]:
    begin, end = sorted((draw(MOMENTS), draw(MOMENTS)))
    return begin, draw(st.sampled_from([end, end, inf]))


@st.composite
def small_histories(draw: st.DrawFn) -> tuple[list[Write], list[Observation]]:
    """Any intervals, and any answers: most aren't linearizable."""
    spans = draw(st.lists(intervals(), min_size=1, max_size=4))
    writes = [Write(f"w{number}", *span) for number, span in enumerate(spans, start=1)]
    states = st.frozensets(st.integers(0, len(writes)), min_size=1, max_size=2)
    found = draw(st.lists(st.tuples(intervals(), states), max_size=4))
    seen = [Observation(f"r{number}", *span, at) for number, (span, at) in enumerate(found)]
    return writes, seen


@given(small_histories())
@settings(max_examples=300)
def test_it_agrees_with_a_search_of_all_orders(
    history: tuple[list[Write], list[Observation]],
) -> None:
    writes, observations = history
    try:
        moments = check_linearizable(writes, observations)
    except NotLinearizable:
        assert not is_linearizable(writes, observations)
        return
    assert is_linearizable(writes, observations)
    assert moments == sorted(moments)
    assert all(w.begin <= at <= w.end for w, at in zip(writes, moments, strict=True))


# --- bad histories, by hand ---


def attempt(table: Sitting, player: int, begin: float, end: float) -> Attempt:
    """A player acts by chance, and is acknowledged."""
    key, decision = table.new_key(), table.decision
    action = table.any_action(player)
    command = {"type": "act", "player": player, "decision": decision, "action": action}
    ack = table.act(player, action, key=key)
    return Attempt(person(player).who, key, command, begin, end, ack.seq)


def read(table: Sitting, begin: float, end: float, player: int | None = None) -> Read:
    """A read of the table as it stands."""
    view = dict(table.table.snapshot(player))
    return Read("reader", begin, end, table.table.seq, player, view)


@pytest.fixture
def table() -> Sitting:
    sitting = buffalo()
    sitting.sit(0, 1)
    return sitting


@pytest.fixture
def good(table: Sitting) -> History:
    """Two acknowledged actions, one after the other, with reads; a stale one, refused; one without an answer."""
    history = History()
    history.reads.append(read(table, 0.0, 0.5))
    history.attempts.append(attempt(table, 0, 1.0, 2.0))
    history.reads.append(read(table, 1.5, 2.5, 0))
    late = {**history.attempts[0].command, "action": "a2a3"}
    refused = Attempt(person(0).who, "late", late, 1.2, 2.2, refusal="stale")
    history.attempts.append(refused)
    history.attempts.append(attempt(table, 1, 3.0, 4.0))
    history.reads.append(read(table, 3.5, 4.5))
    history.attempts.append(replace(attempt(table, 0, 5.0, 6.0), seq=None, end=inf))
    history.streams.append((3, [4, 5, 6]))
    return history


def acked(history: History) -> list[Attempt]:
    return [one for one in history.attempts if one.seq is not None]


def lose_an_acknowledged_action(table: Sitting, history: History) -> None:
    del table.log[4:]
    del history.reads[2:]
    history.attempts = [one for one in history.attempts if one.seq is None or one.seq <= 5]


def do_one_twice(table: Sitting, _: History) -> None:
    table.log.append(table.log[-1]._replace(seq=len(table.log) + 1))


def acknowledge_in_another_order(_: Sitting, history: History) -> None:
    """The second of the log was acknowledged before the first was asked for."""
    history.reads.clear()
    first, *between, second = acked(history)
    assert not between
    history.attempts[history.attempts.index(first)] = replace(first, begin=4.5, end=4.8)
    assert second.end < 4.5


def show_an_old_state(_: Sitting, history: History) -> None:
    """A read that begins after the first acknowledgement doesn't know of it."""
    history.reads[0] = replace(history.reads[0], begin=2.1, end=2.4)


def show_a_state_before_it_was_asked_for(_: Sitting, history: History) -> None:
    history.reads[-1] = replace(history.reads[-1], begin=1.0, end=2.9)


def go_back_in_time(_: Sitting, history: History) -> None:
    """Two reads of one client, one after the other, while the write is under way: the second sees less."""
    before, after = history.reads[0], history.reads[1]
    history.reads[:2] = [
        replace(after, begin=1.1, end=1.2),
        replace(before, begin=1.3, end=1.4),
    ]


def show_what_is_not_there(_: Sitting, history: History) -> None:
    history.reads[-1] = replace(history.reads[-1], seq=99, end=9.0)


def show_another_view(_: Sitting, history: History) -> None:
    history.reads[1] = replace(history.reads[1], view={**history.reads[1].view, "at": 0})


def do_what_was_refused(_: Sitting, history: History) -> None:
    history.attempts[-1] = replace(history.attempts[-1], end=6.0, refusal="stale")


def refuse_as_stale_what_is_not(_: Sitting, history: History) -> None:
    """The decision was the present one all the time."""
    late = next(one for one in history.attempts if one.refusal)
    place = history.attempts.index(late)
    history.attempts[place] = replace(late, begin=0.1, end=0.9)


def do_what_nobody_sent(_: Sitting, history: History) -> None:
    del history.attempts[-1]


def do_something_else(_: Sitting, history: History) -> None:
    first = history.attempts[0]
    command = {**first.command, "action": "h2h3"}
    history.attempts[0] = replace(first, command=command)


def leave_a_message_out(_: Sitting, history: History) -> None:
    history.streams.append((3, [4, 6]))


BAD: list[Callable[[Sitting, History], None]] = [
    lose_an_acknowledged_action,
    do_one_twice,
    acknowledge_in_another_order,
    show_an_old_state,
    show_a_state_before_it_was_asked_for,
    go_back_in_time,
    show_what_is_not_there,
    show_another_view,
    do_what_was_refused,
    refuse_as_stale_what_is_not,
    do_what_nobody_sent,
    do_something_else,
    leave_a_message_out,
]


def test_a_good_history_is_accepted(table: Sitting, good: History) -> None:
    check_history(table.log, good)


def test_what_was_never_answered_may_be_done_or_not(table: Sitting, good: History) -> None:
    del table.log[-1]
    check_history(table.log, good)


def test_a_retry_may_be_acknowledged_at_any_later_time(table: Sitting, good: History) -> None:
    good.attempts.append(replace(good.attempts[0], begin=7.0, end=8.0))
    check_history(table.log, good)


@pytest.mark.parametrize("spoil", BAD, ids=lambda spoil: spoil.__name__)
def test_a_bad_history_is_refused(
    table: Sitting, good: History, spoil: Callable[[Sitting, History], None]
) -> None:
    spoil(table, good)
    with pytest.raises(NotLinearizable):
        check_history(table.log, good)
