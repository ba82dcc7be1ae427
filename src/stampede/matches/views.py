"""What one viewer may know of a table: `view_of` builds it from nothing else, so nothing else can leak.

A viewer is a player, or None for a spectator. The table's part is the same for all; the game's part is the game's own
view of the viewer's seat. `stampede.matches.view_cache` sends the same to viewers without building it every time.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated, Final

from stampede.core.events import JsonFields, plain
from stampede.core.game import Outcome
from stampede.core.json import Json, JsonObject, JsonType
from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.clocks import Clocks
from stampede.matches.commands import VoteTopic
from stampede.matches.fair import DealCommitment, DealReveal
from stampede.matches.lifecycle import awaited_players, next_proof, outcome_of
from stampede.matches.proposals import free_take_backs, voters_of
from stampede.matches.settings import TableSettings
from stampede.matches.state import Chair, ChairKind, Match, Phase, TableState

__all__ = [
    "ClockView",
    "DecisionView",
    "PlayerView",
    "ProposalView",
    "ResultView",
    "TableView",
    "awaited_now",
    "deal_view",
    "decision_view",
    "game_view",
    "is_asked",
    "legal_view",
    "players_view",
    "result_of",
    "results_of",
    "table_view",
    "view_of",
]


@dataclass(frozen=True, slots=True)
class ClockView(JsonFields):
    """A player's clock.

    Attributes:
        left_ms: What was left when it last started or stopped.
        running_since: From when it runs, by the server's time; null while it stands. It may lie ahead: until then it
            stands, too.
    """

    left_ms: int
    running_since: int | None


@dataclass(frozen=True, slots=True)
class PlayerView(JsonFields):
    """A chair.

    Attributes:
        player: Its number.
        seat: The seat in the running or last game; before the first, that in the first.
        name: What the player is called.
        kind: Who sits here.
        level: A bot's level.
        temperament: What a bot wants, if its level has temperaments.
        host: Whether the host sits here.
        absent: Whether a bot stands in until the player is back.
        lapses: How often in a row the player's time ran out.
        out: Whether the player has lost by time, and a bot finishes the game for them.
        left: Whether the player has left, and a bot plays on.
        free: Whether the chair can be taken.
        ready: Whether the player is ready for the first game, at a table that asks for it.
        awaited: Whether the game waits for an answer from here.
        clock: The player's clock, at a table with clocks; bots have none.
    """

    player: Player
    seat: int
    name: str
    kind: Annotated[str, JsonType(ChairKind)]
    level: str | None
    temperament: str | None
    host: bool
    absent: bool
    lapses: int
    out: bool
    left: bool
    free: bool
    ready: bool
    awaited: bool
    clock: ClockView | None


@dataclass(frozen=True, slots=True)
class DecisionView(JsonFields):
    """The decision that is awaited.

    Attributes:
        id: Its id; an answer names it.
        since: Since when it is awaited.
        awaited: The players who haven't answered.
        secret: Whether an answer stays hidden from the others until all have answered.
        take_back: The players who can take their last action back at once by a vote for an undo, as no one else has to
            agree: a person who plays bots alone, unless something hidden has been revealed since.
    """

    id: str
    since: int
    awaited: tuple[Player, ...]
    secret: bool
    take_back: tuple[Player, ...]

    def to_json(self) -> JsonObject:
        """The decision as JSON; servers write one for every action."""
        return {
            "id": self.id,
            "since": self.since,
            "awaited": list(self.awaited),
            "secret": self.secret,
            "take_back": list(self.take_back),
        }


@dataclass(frozen=True, slots=True)
class ProposalView(JsonFields):
    """What a player has proposed.

    Attributes:
        on: What it is about.
        agreed: The players who agree; the first one proposed it.
        asked: The players who decide.
    """

    on: Annotated[str, JsonType(VoteTopic)]
    agreed: tuple[Player, ...]
    asked: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class ResultView(JsonFields):
    """How a game of this table ended.

    Attributes:
        game: The game's number.
        winners: The players who won; none when it was aborted.
        reason: Why it ended; empty when it was aborted.
        aborted: Whether it was aborted.
        stand_ins: By player: how many decisions a bot took for them.
        out: The players who lost by time while the others played on; they are last.
    """

    game: int
    winners: tuple[Player, ...]
    reason: str
    aborted: bool
    stand_ins: tuple[int, ...]
    out: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class TableView(JsonFields):
    """All that a viewer may know of a table.

    Attributes:
        table: The table's id.
        seq: The number of the last entry that this view knows of.
        at: Its time.
        game: The game's name.
        number: The running or last game's number; 0 before the first.
        phase: What the table is doing.
        settings: The table's settings.
        you: The viewer; None for a spectator.
        players: The chairs.
        decision: What is awaited.
        proposals: What has been proposed.
        series: Where the series stands, with the seat that has to choose something before the next game.
        deal: The commitment to the game's chance; seed and nonce when it's over. Null at a table with a start.
        next_deal: The commitment to the next game's chance.
        results: How games have ended here.
        view: The game as the viewer's seat sees it; None before the first.
    """

    table: str
    seq: int
    at: int
    game: str
    number: int
    phase: Annotated[str, JsonType(Phase)]
    settings: Annotated[JsonObject, JsonType(TableSettings)]
    you: Player | None
    players: tuple[PlayerView, ...]
    decision: DecisionView | None
    proposals: tuple[ProposalView, ...]
    series: JsonObject
    deal: Annotated[JsonObject | None, JsonType(DealReveal | DealCommitment | None)]
    next_deal: Annotated[JsonObject, JsonType(DealCommitment)]
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
    game = None if state.match is None else game_view(spec, state.match, viewer)
    return replace(table_view(spec, state), you=viewer, view=game)


def table_view(spec: GameSpec, state: TableState) -> TableView:
    """What all viewers may know alike: everything but the game."""
    match, waiting = state.match, awaited_now(spec, state)
    return TableView(
        table=state.table,
        seq=state.seq,
        at=state.at,
        game=spec.name,
        number=0 if match is None else match.number,
        phase=state.phase.value,
        settings=state.settings.to_view(),
        you=None,
        players=players_view(state, waiting),
        decision=decision_view(spec, state, waiting),
        proposals=_proposals(state),
        series=state.series.standing().to_json(),
        deal=None if match is None else deal_view(state, match),
        next_deal=next_proof(state).public(),
        results=results_of(spec, state),
        view=None,
    )


# --- the table's parts ---


def awaited_now(spec: GameSpec, state: TableState) -> tuple[Player, ...]:
    """The players whose answer is awaited; none when no game is under way."""
    match = state.match
    return awaited_players(spec.game, match) if match is not None and state.in_game else ()


def players_view(state: TableState, waiting: tuple[Player, ...]) -> tuple[PlayerView, ...]:
    """The chairs; `waiting` are the players whose answer is awaited."""
    clocks, match = state.clocks, state.match
    seating = state.series.seating if match is None else match.seating
    return tuple(
        PlayerView(
            player=player,
            seat=seating.index(player),
            name=chair.name,
            kind=chair.kind.value,
            level=chair.level,
            temperament=state.temperament_of(player),
            host=chair.holder is not None and chair.holder == state.host,
            absent=chair.absent,
            lapses=chair.lapses,
            out=chair.out,
            left=chair.left,
            free=chair.is_free,
            ready=chair.ready,
            awaited=player in waiting,
            clock=_clock(clocks, player, chair),
        )
        for player, chair in enumerate(state.chairs)
    )


def _clock(clocks: Clocks | None, player: Player, chair: Chair) -> ClockView | None:
    if clocks is None or chair.kind is ChairKind.BOT:
        return None
    return ClockView(clocks.left[player], clocks.since[player])


def decision_view(
    spec: GameSpec, state: TableState, waiting: tuple[Player, ...]
) -> DecisionView | None:
    """The decision that is awaited; None when no game is under way."""
    match = state.match
    if match is None or not state.in_game:
        return None
    secret = spec.is_secret(match.state)
    take_back = free_take_backs(spec, state)
    return DecisionView(match.decision_id, match.decision_at, waiting, secret, take_back)


def _proposals(state: TableState) -> tuple[ProposalView, ...]:
    return tuple(
        ProposalView(
            ballot.topic.value, ballot.players, tuple(sorted(voters_of(state, ballot.topic)))
        )
        for ballot in state.proposals
    )


def deal_view(state: TableState, match: Match) -> JsonObject | None:
    """What may be known of a game's deal: its commitment, and once the game has ended the seed, too.

    None at a table with a start: there chance decides nothing.
    """
    if state.settings.start is not None:
        return None
    return match.proof.public() if match.ended_at is None else match.proof.revealed()


def results_of(spec: GameSpec, state: TableState) -> tuple[ResultView, ...]:
    """How the games of a table ended, in order."""
    games = state.past if state.match is None else (*state.past, state.match)
    return tuple(_result(spec, game) for game in games if game.ended_at is not None)


def _result(spec: GameSpec, match: Match) -> ResultView:
    outcome = _final_outcome(spec, match)
    stand_ins, out = match.stand_ins, match.out
    if outcome is None:
        return ResultView(match.number, (), "", aborted=True, stand_ins=stand_ins, out=out)
    winners = tuple(match.seating[seat] for seat in outcome.winners)
    return ResultView(
        match.number, winners, outcome.reason, aborted=False, stand_ins=stand_ins, out=out
    )


# --- the game's part ---


def game_view(spec: GameSpec, match: Match, viewer: Player | None) -> JsonObject:
    """A game as a player's seat, or a spectator, sees it."""
    seat = None if viewer is None else match.seat_of(viewer)
    view: JsonObject = spec.game.view(match.state, seat).to_json()
    if match.ended_at is None or not spec.game.to_act(match.state):
        return view
    # The game's state doesn't know of an end outside the rules: show it as to a spectator, so that no seat is asked.
    legal = spec.game.view(match.state, None).to_json().get("legal")
    return {**view, "to_act": [], "legal": legal, "result": result_of(spec, match)}


def is_asked(spec: GameSpec, match: Match, viewer: Player) -> bool:
    """Whether a player's answer is awaited."""
    return match.ended_at is None and match.seat_of(viewer) in spec.game.to_act(match.state)


def legal_view(spec: GameSpec, match: Match, viewer: Player) -> Json:
    """What a player may do in a game of open information; None when their answer isn't awaited."""
    if not is_asked(spec, match, viewer):
        return None
    legal: JsonObject = spec.game.legal(match.state, match.seat_of(viewer)).to_json()
    return legal


def result_of(spec: GameSpec, match: Match) -> JsonObject | None:
    """The record's ``result`` of a game that has ended; None when it has none."""
    outcome = _final_outcome(spec, match)
    return None if outcome is None else spec.game.write_result(match.state, outcome)


def _final_outcome(spec: GameSpec, match: Match) -> Outcome | None:
    return None if match.aborted or match.ended_at is None else outcome_of(spec.game, match)
