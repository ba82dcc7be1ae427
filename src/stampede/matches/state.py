"""The state of a table: immutable and complete, secrets included. It never leaves the authority."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple

from stampede.core.events import Event
from stampede.core.game import Outcome, Seat
from stampede.core.record import SeatInfo
from stampede.core.series import Player, Series
from stampede.matches.clocks import Clocks
from stampede.matches.commands import VoteTopic
from stampede.matches.fair import DealProof
from stampede.matches.settings import TableSettings

__all__ = [
    "Chair",
    "ChairKind",
    "Match",
    "Phase",
    "PlayedAction",
    "Proposal",
    "TableState",
]


class Phase(Enum):
    """What a table is doing."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    """A game has ended; another can begin."""
    CLOSED = "closed"


class ChairKind(Enum):
    """The kind of player on a chair."""

    OPEN = "open"
    HUMAN = "human"
    PROGRAM = "program"
    """A program from outside, by a seat's token."""
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair and who sits on it.

    Attributes:
        kind: The kind of player.
        name: What the player is called; for a bot that took over, still the name of the player who left.
        holder: The guest who holds it.
        digest: The digest of the seat's token.
        level: A bot's level.
        salt: The player's contribution to the deals.
        absent: A bot stands in until the player is back.
        lapses: How often in a row the player's time ran out.
        out: The player has lost by time, and a bot finishes the game for them.
        left: The player has left in the middle of a game, and a bot plays on.
        offered: A person may take it over from the bot.
        ready: The player is ready for the first game, at a table that asks for it.
    """

    kind: ChairKind = ChairKind.OPEN
    name: str = ""
    holder: str | None = None
    digest: str = ""
    level: str | None = None
    salt: str = ""
    absent: bool = False
    left: bool = False
    offered: bool = False
    lapses: int = 0
    out: bool = False
    ready: bool = False

    @property
    def is_person(self) -> bool:
        """Whether a person decides here, or a program from outside."""
        return self.kind in (ChairKind.HUMAN, ChairKind.PROGRAM)

    @property
    def by_bot(self) -> bool:
        """Whether a bot decides here now."""
        return self.kind is ChairKind.BOT or self.absent

    @property
    def is_free(self) -> bool:
        """Whether a person may sit down here."""
        return self.kind is ChairKind.OPEN or self.offered

    def info(self) -> SeatInfo:
        """The chair as a record's seat: the player who began the game here."""
        if self.kind is ChairKind.PROGRAM:
            return SeatInfo(self.name, "bot", "program")
        if self.kind is ChairKind.BOT and not self.left:
            return SeatInfo(self.name, "bot", self.level)
        return SeatInfo(self.name, "human")


class PlayedAction(NamedTuple):
    """An action that hasn't been taken back: its entry, its seat, what happened, and whether a stand-in played it."""

    seq: int
    seat: Seat
    events: tuple[Event, ...]
    by_stand_in: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match: one game at the table, running or ended.

    Attributes:
        number: Counted from 1.
        rules: The game's rule set.
        seating: By seat: the player who sits there.
        proof: What decided its chance.
        state: The game's present state.
        actions: What was played, without what was taken back.
        stack: The states before the last of these, as far as they can be taken back; before all of them in games that
            hide nothing.
        decision: The number of the present decision; it never comes again, not even by an undo.
        decision_at: When that began.
        started_at: When the game began.
        ended_at: When it ended.
        verdict: An outcome outside the rules: resigned, or out of time.
        aborted: It ended without an outcome, by agreement.
        people: Who sat where, once it has ended.
        left: The players whose seats bots took over for good.
        out: Those among them who had lost by time.
    """

    number: int
    rules: Any
    seating: tuple[Player, ...]
    proof: DealProof
    state: Any
    started_at: int
    decision_at: int
    actions: tuple[PlayedAction, ...] = ()
    stack: tuple[Any, ...] = ()
    decision: int = 1
    ended_at: int | None = None
    verdict: Outcome | None = None
    aborted: bool = False
    people: tuple[SeatInfo, ...] = ()
    left: tuple[Player, ...] = ()
    out: tuple[Player, ...] = ()

    @property
    def decision_id(self) -> str:
        """The present decision's id, the same for all who answer at once."""
        return f"{self.number}.{self.decision}"

    def seat_of(self, player: Player) -> Seat:
        """Where a player sits."""
        return self.seating.index(player)

    def after(
        self,
        state: Any,
        actions: tuple[PlayedAction, ...],
        stack: tuple[Any, ...],
        decision: int,
        decision_at: int,
    ) -> Match:
        """The game after an action: `dataclasses.replace` without its overhead, as every action needs it."""
        return Match(
            self.number,
            self.rules,
            self.seating,
            self.proof,
            state,
            self.started_at,
            decision_at,
            actions,
            stack,
            decision,
            self.ended_at,
            self.verdict,
            self.aborted,
            self.people,
            self.left,
            self.out,
        )

    @property
    def stand_ins(self) -> tuple[int, ...]:
        """By player: how many decisions a stand-in has taken for them, without what was taken back."""
        seats = [action.seat for action in self.actions if action.by_stand_in]
        return tuple(seats.count(self.seat_of(player)) for player in range(len(self.seating)))

    @property
    def events(self) -> list[Event]:
        """Everything that happened, without what was taken back."""
        return [event for action in self.actions for event in action.events]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a player has proposed, and who has agreed so far with what each chose; the proposer is the first."""

    topic: VoteTopic
    agreed: tuple[tuple[Player, tuple[str, ...]], ...]

    @property
    def players(self) -> tuple[Player, ...]:
        """The players who have agreed, in order."""
        return tuple(player for player, _ in self.agreed)


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table.

    Attributes:
        table: Its id.
        settings: What it is.
        secret: Where all its seeds come from.
        invite: The digest of the invitation.
        substitute: The level of the bot that takes over a seat.
        host: The guest who is the host; None when every player is.
        chairs: By player.
        series: Where the series stands: before the running game, or after the last.
        phase: What the table is doing.
        match: The running game, or the last one; None before the first.
        past: The games before that.
        proposals: What has been proposed and hasn't passed yet.
        clocks: The clocks; None at a table without.
        paused_at: When the pause began.
        commands_since_progress: How many commands of each caller were accepted since the game last went on.
        seq: The number of the last entry.
        at: Its time.
        temperaments: By player: what a bot on this chair wants, by its level.
    """

    table: str
    settings: TableSettings
    secret: str
    invite: str
    substitute: str
    host: str | None
    chairs: tuple[Chair, ...]
    series: Series
    phase: Phase = Phase.LOBBY
    match: Match | None = None
    past: tuple[Match, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    clocks: Clocks | None = None
    paused_at: int = 0
    commands_since_progress: Mapping[str, int] = field(default_factory=dict)
    seq: int = 0
    at: int = 0
    temperaments: tuple[Mapping[str, str], ...] = ()

    def with_chair(self, player: Player, chair: Chair) -> TableState:
        """The state with one chair changed."""
        return replace(self, chairs=(*self.chairs[:player], chair, *self.chairs[player + 1 :]))

    def with_match(
        self, match: Match, commands_since_progress: Mapping[str, int], seq: int, at: int
    ) -> TableState:
        """The state with the game after an action, clocks apart."""
        return self._with(match, self.clocks, commands_since_progress, seq, at)

    def after(
        self, seq: int, at: int, commands_since_progress: Mapping[str, int], clocks: Clocks | None
    ) -> TableState:
        """The state with what every entry changes."""
        return self._with(self.match, clocks, commands_since_progress, seq, at)

    def _with(
        self,
        match: Match | None,
        clocks: Clocks | None,
        commands_since_progress: Mapping[str, int],
        seq: int,
        at: int,
    ) -> TableState:
        """Copies the state without the overhead of `dataclasses.replace`, as every action needs it."""
        return TableState(
            self.table,
            self.settings,
            self.secret,
            self.invite,
            self.substitute,
            self.host,
            self.chairs,
            self.series,
            self.phase,
            match,
            self.past,
            self.proposals,
            clocks,
            self.paused_at,
            commands_since_progress,
            seq,
            at,
            self.temperaments,
        )

    @property
    def running(self) -> Match:
        """The game on the table; call it only when there is one."""
        assert self.match is not None, "a game is on the table"
        return self.match

    def temperament_of(self, player: Player) -> str | None:
        """What the bot on a chair wants; None for people, bots that stand in for them, and levels without a choice."""
        chair = self.chairs[player]
        if chair.kind is not ChairKind.BOT or chair.left or not self.temperaments:
            return None
        return self.temperaments[player].get(chair.level or "")

    @property
    def in_game(self) -> bool:
        """Whether a game is under way, paused or not."""
        return self.phase in (Phase.PLAYING, Phase.PAUSED)

    def proposal(self, topic: VoteTopic) -> Proposal | None:
        """The proposal on a topic, if there is one."""
        return next((proposal for proposal in self.proposals if proposal.topic is topic), None)

    @property
    def is_full(self) -> bool:
        """Whether every chair is taken."""
        return all(chair.kind is not ChairKind.OPEN for chair in self.chairs)

    def unready(self) -> tuple[Player, ...]:
        """The people who haven't said that they are ready; programs always are."""
        return tuple(
            player
            for player, chair in enumerate(self.chairs)
            if chair.kind is ChairKind.HUMAN and not chair.ready
        )

    def persons(self) -> tuple[Player, ...]:
        """The players who are people or their programs."""
        return tuple(player for player, chair in enumerate(self.chairs) if chair.is_person)
