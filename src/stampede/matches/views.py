"""What one viewer may know of a table: `view_of` builds it from nothing else, so nothing else can leak.

A viewer is a player, or None for a spectator. The table's part is the same for all; the game's part is the game's own
view of the viewer's seat. `stampede.matches.view_cache` sends the same to viewers without building it every time.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Final

from stampede.core.events import JsonFields, plain
from stampede.core.game import Outcome
from stampede.core.json import Json, JsonObject
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.lifecycle import awaited_players, next_proof, outcome_of, voters_of
from stampede.matches.state import Play, TableState

__all__ = [
    "ClockView",
    "DecisionView",
    "PlayerView",
    "ProposalView",
    "ResultView",
    "TableView",
    "deal_view",
    "decision_view",
    "game_view",
    "is_asked",
    "legal_view",
    "players_view",
    "result_of",
    "table_view",
    "view_of",
]


@dataclass(frozen=True, slots=True)
class ClockView(JsonFields):
    """A player's clock: what was left when it last started or stopped, and since when it runs (null: it stands)."""

    left_ms: int
    running_since: int | None


@dataclass(frozen=True, slots=True)
class PlayerView(JsonFields):
    """A chair.

    Attributes:
        player: Its number.
        seat: The seat in the running or last game; before the first, that in the first.
        name: What the player is called.
        kind: ``open``, ``human``, ``program`` or ``bot``.
        level: A bot's level.
        host: Whether the host sits here.
        absent: A bot stands in until the player is back.
        left: The player has left, and a bot plays on.
        free: Somebody may sit down here.
        awaited: The game waits for an answer from here.
        clock: The player's clock, at a table with clocks.
    """

    player: Player
    seat: int
    name: str
    kind: str
    level: str | None
    host: bool
    absent: bool
    left: bool
    free: bool
    awaited: bool
    clock: ClockView | None


@dataclass(frozen=True, slots=True)
class DecisionView(JsonFields):
    """The decision that is awaited: its id (an answer names it), since when, and by whom."""

    id: str
    since: int
    awaited: tuple[Player, ...]

    def to_json(self) -> JsonObject:
        """The decision as JSON; servers write one for every action."""
        return {"id": self.id, "since": self.since, "awaited": list(self.awaited)}


@dataclass(frozen=True, slots=True)
class ProposalView(JsonFields):
    """What somebody has proposed, who agrees (the first one proposed it), and who is asked."""

    on: str
    agreed: tuple[Player, ...]
    asked: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class ResultView(JsonFields):
    """How a game of this table ended. An aborted one has neither winners nor a reason."""

    game: int
    winners: tuple[Player, ...]
    reason: str
    aborted: bool


@dataclass(frozen=True, slots=True)
class TableView(JsonFields):
    """All that a viewer may know of a table.

    Attributes:
        table: The table's id.
        seq: The number of the last entry that this view knows of.
        at: Its time.
        game: The game's name.
        number: The running or last game's number; 0 before the first.
        phase: ``lobby``, ``playing``, ``paused``, ``over`` or ``closed``.
        settings: What the table is.
        you: The viewer; None for a spectator.
        players: The chairs.
        decision: What is awaited.
        proposals: What has been proposed.
        series: Where the series stands, with the seat that has to choose something before the next game.
        deal: The commitment to the game's chance; seed and nonce when it's over.
        next_deal: The commitment to the next game's chance.
        results: How games have ended here.
        view: The game as the viewer's seat sees it; None before the first.
    """

    table: str
    seq: int
    at: int
    game: str
    number: int
    phase: str
    settings: JsonObject
    you: Player | None
    players: tuple[PlayerView, ...]
    decision: DecisionView | None
    proposals: tuple[ProposalView, ...]
    series: JsonObject
    deal: JsonObject | None
    next_deal: JsonObject
    results: tuple[ResultView, ...]
    view: JsonObject | None

    def to_json(self) -> JsonObject:
        """The view as plain JSON; what is JSON already is taken as it is."""
        return {
            field.name: getattr(self, field.name)
            if field.name in _JSON
            else plain(getattr(self, field.name))
            for field in fields(self)
        }


_JSON: Final = frozenset({"settings", "series", "deal", "next_deal", "view"})


def view_of(spec: GameSpec, state: TableState, viewer: Player | None) -> TableView:
    """What a player, or a spectator (None), may know of a table."""
    game = None if state.play is None else game_view(spec, state.play, viewer)
    return replace(table_view(spec, state), you=viewer, view=game)


def table_view(spec: GameSpec, state: TableState) -> TableView:
    """What all viewers may know alike: everything but the game."""
    play = state.play
    waiting = awaited_players(spec.game, play) if play is not None and state.in_game else ()
    return TableView(
        table=state.table,
        seq=state.seq,
        at=state.at,
        game=spec.name,
        number=0 if play is None else play.number,
        phase=state.phase.value,
        settings=state.settings.to_json(),
        you=None,
        players=players_view(state, waiting),
        decision=decision_view(state, waiting),
        proposals=_proposals(state),
        series={**state.series.to_json(), "chooser": state.series.chooser},
        deal=None if play is None else deal_view(play),
        next_deal=next_proof(state).public(),
        results=_results(spec, state),
        view=None,
    )


# --- the table's parts ---


def players_view(state: TableState, waiting: tuple[Player, ...]) -> tuple[PlayerView, ...]:
    """The chairs; `waiting` are the players whose answer is awaited."""
    clocks, play = state.clocks, state.play
    seating = state.series.seating if play is None else play.seating
    return tuple(
        PlayerView(
            player=player,
            seat=seating.index(player),
            name=chair.name,
            kind=chair.kind.value,
            level=chair.level,
            host=chair.holder is not None and chair.holder == state.host,
            absent=chair.absent,
            left=chair.left,
            free=chair.is_free,
            awaited=player in waiting,
            clock=None if clocks is None else ClockView(clocks.left[player], clocks.since[player]),
        )
        for player, chair in enumerate(state.chairs)
    )


def decision_view(state: TableState, waiting: tuple[Player, ...]) -> DecisionView | None:
    """The decision that is awaited; None when no game is under way."""
    play = state.play
    if play is None or not state.in_game:
        return None
    return DecisionView(play.decision_id, play.decision_at, waiting)


def _proposals(state: TableState) -> tuple[ProposalView, ...]:
    return tuple(
        ProposalView(
            ballot.topic.value, ballot.players, tuple(sorted(voters_of(state, ballot.topic)))
        )
        for ballot in state.proposals
    )


def deal_view(play: Play) -> JsonObject:
    """What may be known of a game's deal: its commitment, and once the game has ended the seed, too."""
    return play.proof.public() if play.ended_at is None else play.proof.revealed()


def _results(spec: GameSpec, state: TableState) -> tuple[ResultView, ...]:
    games = state.past if state.play is None else (*state.past, state.play)
    return tuple(_result(spec, game) for game in games if game.ended_at is not None)


def _result(spec: GameSpec, play: Play) -> ResultView:
    outcome = _final_outcome(spec, play)
    if outcome is None:
        return ResultView(play.number, (), "", aborted=True)
    winners = tuple(play.seating[seat] for seat in outcome.winners)
    return ResultView(play.number, winners, outcome.reason, aborted=False)


# --- the game's part ---


def game_view(spec: GameSpec, play: Play, viewer: Player | None) -> JsonObject:
    """A game as a player's seat, or a spectator, sees it."""
    seat = None if viewer is None else play.seat_of(viewer)
    view: JsonObject = spec.game.view(play.state, seat).to_json()
    if play.ended_at is None or not spec.game.to_act(play.state):
        return view
    # The game's state doesn't know of an end outside the rules: show it as to a spectator, so that no seat is asked.
    legal = spec.game.view(play.state, None).to_json().get("legal")
    return {**view, "to_act": [], "legal": legal, "result": result_of(spec, play)}


def is_asked(spec: GameSpec, play: Play, viewer: Player) -> bool:
    """Whether a player's answer is awaited."""
    return play.ended_at is None and play.seat_of(viewer) in spec.game.to_act(play.state)


def legal_view(spec: GameSpec, play: Play, viewer: Player) -> Json:
    """What a player may do in a game of open information; None when their answer isn't awaited."""
    if not is_asked(spec, play, viewer):
        return None
    legal: JsonObject = spec.game.legal(play.state, play.seat_of(viewer)).to_json()
    return legal


def result_of(spec: GameSpec, play: Play) -> JsonObject | None:
    """The record's ``result`` of a game that has ended; None when it has none."""
    outcome = _final_outcome(spec, play)
    return None if outcome is None else spec.game.write_result(play.state, outcome)


def _final_outcome(spec: GameSpec, play: Play) -> Outcome | None:
    return None if play.aborted or play.ended_at is None else outcome_of(spec.game, play)
