"""Checks what clients of a table recorded against its log: acknowledgements, refusals, reads, updates.

The log is the order of the writes; the authority (`stampede.matches.Table`), given one entry after the other, says
what each state would have answered. `linearizability` decides whether the answers fit together.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf

from stampede.core.errors import StampedeError
from stampede.matches import Table
from stampede.matches.callers import Caller, guest_of
from stampede.matches.commands import read_command
from stampede.matches.entries import Entry, fingerprint_of
from stampede.server.http.problems import problem_of
from stampede.server.tables.games import CATALOGUE
from tests.server.clients import Frame
from tests.server.history.linearizability import (
    NotLinearizable,
    Observation,
    Write,
    check_linearizable,
)

Log = Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A command that was sent once; a retry is an attempt of its own, with the same key.

    Attributes:
        who: The sender, as the log names them.
        key: The idempotency key.
        command: What was sent.
        begin: When it was sent.
        end: When it was answered; infinite when it never was.
        seq: The acknowledged number; None when it wasn't acknowledged.
        refusal: The error's code; None when it wasn't refused. Neither: nobody knows what became of it.
    """

    who: str
    key: str
    command: Frame
    begin: float
    end: float = inf
    seq: int | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """What a client was shown: by REST, in a welcome or an update, or beside a refusal.

    Attributes:
        client: Who, for the message.
        begin: When it was asked for; minus infinity for an update, which nobody asks for.
        end: When it came.
        seq: The number that it named.
        player: Through whose eyes; None for a spectator.
        view: The view.
    """

    client: str
    begin: float
    end: float
    seq: int
    player: int | None
    view: Frame


@dataclass(slots=True)
class History:
    """What the clients of one table recorded.

    Attributes:
        attempts: All commands that players sent.
        reads: All that was shown.
        streams: By socket: the numbers of the messages that it brought, in the order in which they came, after the
            number that was asked for.
    """

    attempts: list[Attempt] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    streams: list[tuple[int, list[int]]] = field(default_factory=list)


def check_history(log: Log, history: History) -> None:
    """Raises NotLinearizable, with a sentence that says what doesn't fit, unless the history is linearizable."""
    tries: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
    for attempt in history.attempts:
        tries[attempt.who, attempt.key].append(attempt)
    _check_once(log)
    _check_sent(log, tries)
    for attempt in history.attempts:
        _check_acknowledged(log, attempt)
    for after, numbers in history.streams:
        _check_stream(after, numbers)
    writes = [_write(entry, tries.get((entry.who, entry.key), ())) for entry in log]
    observations = [_acknowledged(attempt, len(log)) for attempt in history.attempts]
    observations += [_read(read, len(log)) for read in history.reads]
    observations += _refusals(log, history.attempts, writes)
    check_linearizable(writes, observations)
    _check_views(log, history.reads)


# --- what needs no order ---


def _check_once(log: Log) -> None:
    seen: dict[tuple[str, str], int] = {}
    for number, entry in enumerate(log, start=1):
        if entry.seq != number:
            raise NotLinearizable(f"entry {number} of the log has the number {entry.seq}")
        first = seen.setdefault((entry.who, entry.key), number)
        if first != number:
            raise NotLinearizable(f"{entry.key} was done twice: entries {first} and {number}")


def _check_sent(log: Log, tries: Mapping[tuple[str, str], Sequence[Attempt]]) -> None:
    """What is in the log under a recorded sender's name was sent, and not only refused."""
    senders = {who for who, _ in tries}
    for entry in log:
        sent = tries.get((entry.who, entry.key), ())
        is_action = entry.command.to_json()["type"] == "act"
        if is_action and entry.who in senders and not sent:
            raise NotLinearizable(f"entry {entry.seq}, {entry.key}: nobody sent it")
        if sent and all(attempt.refusal is not None for attempt in sent):
            raise NotLinearizable(f"entry {entry.seq}, {entry.key}: it was refused")


def _check_acknowledged(log: Log, attempt: Attempt) -> None:
    if attempt.seq is None:
        return
    entry = log[attempt.seq - 1] if 1 <= attempt.seq <= len(log) else None
    if entry is None or (entry.who, entry.key) != (attempt.who, attempt.key):
        raise NotLinearizable(
            f"{attempt.key} was acknowledged as {attempt.seq}, but it isn't there"
        )
    if entry.fingerprint != fingerprint_of(read_command(attempt.command)):
        raise NotLinearizable(f"entry {attempt.seq}, {attempt.key}: another command was sent")


def _check_stream(after: int, numbers: Sequence[int]) -> None:
    wanted = list(range(after + 1, after + 1 + len(numbers)))
    if list(numbers) != wanted:
        raise NotLinearizable(f"a socket's messages after {after} were {list(numbers)}")


def _check_views(log: Log, reads: Sequence[Read]) -> None:
    """Every view is what the log makes of it."""
    by_seq: dict[int, list[Read]] = defaultdict(list)
    for read in reads:
        by_seq[read.seq].append(read)
    for table in _states(log):
        for read in by_seq.get(table.seq, ()):
            if read.view != table.snapshot(read.player):
                raise NotLinearizable(f"{read.client} saw another state {read.seq} than the log's")


# --- what the order has to explain ---


def _write(entry: Entry, sent: Sequence[Attempt]) -> Write:
    taken = [attempt for attempt in sent if attempt.refusal is None]
    begin = min((attempt.begin for attempt in taken), default=-inf)
    end = min((attempt.end for attempt in taken if attempt.seq is not None), default=inf)
    return Write(f"entry {entry.seq} ({entry.key})", begin, end)


def _acknowledged(attempt: Attempt, length: int) -> Observation:
    """An acknowledgement, of a retry, too, tells that the entry is there; what isn't acknowledged tells nothing."""
    least = 0 if attempt.seq is None else attempt.seq
    name = f"{attempt.key}, acknowledged as {attempt.seq}"
    return Observation(name, attempt.begin, attempt.end, range(least, length + 1))


def _read(read: Read, length: int) -> Observation:
    if not 1 <= read.seq <= length:
        raise NotLinearizable(f"{read.client} saw entry {read.seq}; the log has {length}")
    name = f"{read.client}'s read of state {read.seq}"
    return Observation(name, read.begin, read.end, frozenset([read.seq]))


def _refusals(log: Log, attempts: Sequence[Attempt], writes: Sequence[Write]) -> list[Observation]:
    """For each refusal, the states in which the authority refuses the command in this way."""
    begins = list(accumulate((write.begin for write in writes), max))
    refused = [attempt for attempt in attempts if attempt.refusal is not None]
    ranges = {}
    for attempt in refused:
        over = [number for number, write in enumerate(writes, 1) if write.end < attempt.begin]
        ranges[id(attempt)] = (max(over, default=1), bisect_right(begins, attempt.end))
    states: dict[int, set[int]] = {id(attempt): set() for attempt in refused}
    for table in _states(log):
        for attempt in refused:
            first, last = ranges[id(attempt)]
            if first <= table.seq <= last and refusal_of(table, attempt) == attempt.refusal:
                states[id(attempt)].add(table.seq)
    return [
        Observation(
            f"{attempt.key}, refused as {attempt.refusal}",
            attempt.begin,
            attempt.end,
            frozenset(states[id(attempt)]),
        )
        for attempt in refused
    ]


def refusal_of(table: Table, attempt: Attempt) -> str | None:
    """The code with which a table refuses a command now; None when it would take it."""
    caller = Caller(guest=guest_of(attempt.who))
    try:
        table.decide(read_command(attempt.command), caller, attempt.key, table.state.at)
    except StampedeError as error:
        return problem_of(error).code
    return None


def _states(log: Log) -> Iterator[Table]:
    """The table after each entry."""
    table = Table.rebuild(CATALOGUE, log[:1])
    yield table
    for entry in log[1:]:
        table.apply(entry)
        yield table
