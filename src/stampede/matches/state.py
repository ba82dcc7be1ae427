"""What a table is at one moment: immutable, complete, secrets included. Only the authority holds it."""

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
from stampede.matches.commands import Matter
from stampede.matches.fair import DealProof
from stampede.matches.settings import TableSettings

__all__ = ["Ballot", "Chair", "ChairKind", "Phase", "Play", "TableState", "Told"]


class Phase(Enum):
    """What goes on at a table."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    """A game has ended; another can begin."""
    CLOSED = "closed"


class ChairKind(Enum):
    """Who a chair is for."""

    OPEN = "open"
    HUMAN = "human"
    PROGRAM = "program"
    """A program from outside, by a seat's token."""
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class Chair:
    """A chair and who sits on it.

    Attributes:
        kind: For whom.
        name: What the player is called; for a bot that took over, still the name of who left.
        holder: The guest who holds it.
        digest: The digest of the seat's token.
        level: A bot's level.
        salt: The player's contribution to the deals.
        absent: A bot stands in until the player is back.
        left: The player has left in the middle of a game, and a bot plays on.
        offered: Somebody may take it over from the bot.
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

    @property
    def is_person(self) -> bool:
        """Whether somebody from outside decides here, himself or by a program."""
        return self.kind in (ChairKind.HUMAN, ChairKind.PROGRAM)

    @property
    def by_bot(self) -> bool:
        """Whether a bot decides here now."""
        return self.kind is ChairKind.BOT or self.absent

    @property
    def is_free(self) -> bool:
        """Whether somebody may sit down here."""
        return self.kind is ChairKind.OPEN or self.offered

    def info(self) -> SeatInfo:
        """The chair as it stands in a record: who began the game here."""
        if self.kind is ChairKind.PROGRAM:
            return SeatInfo(self.name, "bot", "program")
        if self.kind is ChairKind.BOT and not self.left:
            return SeatInfo(self.name, "bot", self.level)
        return SeatInfo(self.name, "human")


class Told(NamedTuple):
    """An action that stands: its entry, its seat, and what happened."""

    seq: int
    seat: Seat
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A game at the table, running or ended.

    Attributes:
        number: Counted from 1.
        rules: The game's rule set.
        seating: By seat: the player who sits there.
        proof: What decided its chance.
        state: The game's present state.
        told: What happened, without what was undone.
        stack: The states before each of these, in games that can be undone; else empty.
        decision: The number of the present decision; it never comes again, not even by an undo.
        decision_at: When that began.
        started_at: When the game began.
        ended_at: When it ended.
        verdict: An outcome outside the rules: resigned, or out of time.
        aborted: It ended without an outcome, by agreement.
        people: Who sat where, once it has ended.
        left: The players whose seats bots took over for good.
    """

    number: int
    rules: Any
    seating: tuple[Player, ...]
    proof: DealProof
    state: Any
    started_at: int
    decision_at: int
    told: tuple[Told, ...] = ()
    stack: tuple[Any, ...] = ()
    decision: int = 1
    ended_at: int | None = None
    verdict: Outcome | None = None
    aborted: bool = False
    people: tuple[SeatInfo, ...] = ()
    left: tuple[Player, ...] = ()

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
        told: tuple[Told, ...],
        stack: tuple[Any, ...],
        decision: int,
        decision_at: int,
    ) -> Play:
        """The game after an action. Does what `replace` does, but quickly: every action comes by here."""
        return Play(
            self.number,
            self.rules,
            self.seating,
            self.proof,
            state,
            self.started_at,
            decision_at,
            told,
            stack,
            decision,
            self.ended_at,
            self.verdict,
            self.aborted,
            self.people,
            self.left,
        )

    @property
    def events(self) -> list[Event]:
        """Everything that happened and stands."""
        return [event for told in self.told for event in told.events]


@dataclass(frozen=True, slots=True)
class Ballot:
    """Who has agreed to something so far, with what each chose; the first one has proposed it."""

    matter: Matter
    agreed: tuple[tuple[Player, tuple[str, ...]], ...]

    @property
    def players(self) -> tuple[Player, ...]:
        """Who has agreed, in order."""
        return tuple(player for player, _ in self.agreed)


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything about a table.

    Attributes:
        table: Its id.
        settings: What it is.
        secret: Where all its seeds come from.
        invite: The digest of the invitation.
        substitute: The level of the bot that takes over a seat.
        host: The guest who has the say; None when everybody at the table has.
        chairs: By player.
        series: Where the series stands: before the running game, or after the last.
        phase: What goes on.
        play: The running game, or the last one; None before the first.
        past: The games before that.
        ballots: What has been proposed.
        clocks: The clocks; None at a table without.
        paused_at: When the pause began.
        fuss: How many commands each caller has had accepted since the game last moved on.
        seq: The number of the last entry.
        at: Its time.
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
    play: Play | None = None
    past: tuple[Play, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    clocks: Clocks | None = None
    paused_at: int = 0
    fuss: Mapping[str, int] = field(default_factory=dict)
    seq: int = 0
    at: int = 0

    def with_chair(self, player: Player, chair: Chair) -> TableState:
        """The state with one chair changed."""
        return replace(self, chairs=(*self.chairs[:player], chair, *self.chairs[player + 1 :]))

    def with_play(self, play: Play, fuss: Mapping[str, int], seq: int, at: int) -> TableState:
        """The state with the game after an action, clocks apart."""
        return self._with(play, self.clocks, fuss, seq, at)

    def after(
        self, seq: int, at: int, fuss: Mapping[str, int], clocks: Clocks | None
    ) -> TableState:
        """The state with what every entry changes."""
        return self._with(self.play, clocks, fuss, seq, at)

    def _with(
        self, play: Play | None, clocks: Clocks | None, fuss: Mapping[str, int], seq: int, at: int
    ) -> TableState:
        """Does what `replace` does, but quickly: every action comes by here."""
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
            play,
            self.past,
            self.ballots,
            clocks,
            self.paused_at,
            fuss,
            seq,
            at,
        )

    @property
    def running(self) -> Play:
        """The game on the table; only where there is one."""
        assert self.play is not None, "a game is on the table"
        return self.play

    @property
    def in_game(self) -> bool:
        """Whether a game is under way, paused or not."""
        return self.phase in (Phase.PLAYING, Phase.PAUSED)

    def ballot(self, matter: Matter) -> Ballot | None:
        """The ballot on a matter, if there is one."""
        return next((ballot for ballot in self.ballots if ballot.matter is matter), None)

    def persons(self) -> tuple[Player, ...]:
        """The players who are people or their programs."""
        return tuple(player for player, chair in enumerate(self.chairs) if chair.is_person)
