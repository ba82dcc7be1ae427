"""People come, games begin and end, people go. Pure functions on `TableState`; the fold puts them together."""

from __future__ import annotations

from dataclasses import replace

from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.matches.fair import DealProof, proof_of
from stampede.matches.plays import begun, forfeited, outcome_of
from stampede.matches.state import Chair, ChairKind, Phase, TableState

__all__ = [
    "aborted",
    "begin_game",
    "finish_if_over",
    "leave_chair",
    "next_proof",
    "start_if_full",
]


# --- games begin and end ---


def start_if_full(spec: GameSpec, state: TableState, at: int) -> TableState:
    """Begins the first game when every chair is taken and nobody has to say so."""
    full = all(chair.kind is not ChairKind.OPEN for chair in state.chairs)
    ready = state.phase is Phase.LOBBY and state.settings.auto_start and state.persons()
    return begin_game(spec, state, at) if full and ready else state


def next_proof(state: TableState) -> DealProof:
    """What will decide the next game's chance."""
    number = 1 if state.play is None else state.play.number + 1
    salts = tuple(chair.salt for chair in state.chairs)
    return proof_of(state.secret, state.table, number, salts)


def begin_game(
    spec: GameSpec, state: TableState, at: int, choice: tuple[str, ...] | None = None
) -> TableState:
    """Begins the series' next game; a series that is decided begins anew.

    Without a choice, what a series asks for is chosen as for a bot.
    """
    series, settings = state.series, state.settings
    if series.winner is not None:
        series = spec.begin_series(settings.series, settings.rules, len(state.chairs))
    number = 1 if state.play is None else state.play.number + 1
    if choice is None:
        choice = () if series.chooser is None else series.default_choice()
    rules, proof = series.rules(choice), next_proof(state)
    play = begun(spec, number, rules, series.seating, proof, at)
    past = state.past if state.play is None else (*state.past, state.play)
    begun_state = replace(
        state,
        phase=Phase.PLAYING,
        series=series,
        play=play,
        past=past,
        ballots=(),
        chairs=_same_or(state.chairs, tuple(_taken_over(chair) for chair in state.chairs)),
    )
    return finish_if_over(spec, begun_state, at)


def _taken_over(chair: Chair) -> Chair:
    """In the next game a bot plays under its own name."""
    level = chair.level or ""
    return Chair(ChairKind.BOT, level, level=level, offered=True) if chair.left else chair


def finish_if_over(spec: GameSpec, state: TableState, at: int) -> TableState:
    """Ends the game when the rules, or a verdict, say so; the series takes note."""
    play = state.running
    outcome = outcome_of(spec.game, play)
    if outcome is None:
        return state
    return replace(_ended(state, at, is_aborted=False), series=state.series.after(outcome.winners))


def aborted(state: TableState, at: int) -> TableState:
    """Ends the game without an outcome; for the series it hasn't been."""
    return _ended(state, at, is_aborted=True)


def _ended(state: TableState, at: int, *, is_aborted: bool) -> TableState:
    play = state.running
    people = tuple(state.chairs[player].info() for player in play.seating)
    left = tuple(player for player, chair in enumerate(state.chairs) if chair.left)
    return replace(
        state,
        phase=Phase.OVER,
        play=replace(play, ended_at=at, aborted=is_aborted, people=people, left=left, stack=()),
        ballots=(),
        chairs=_same_or(
            state.chairs,
            tuple(
                replace(chair, absent=False, offered=chair.offered or chair.left)
                for chair in state.chairs
            ),
        ),
    )


def _same_or(before: tuple[Chair, ...], after: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """The very chairs from before, when nothing about them has changed: whoever has looked needn't look again."""
    return before if before == after else after


# --- people go ---


def leave_chair(
    spec: GameSpec, state: TableState, player: Player, at: int, *, resigns: bool = True
) -> TableState:
    """Somebody goes: the chair is open again, or, in a running game, a bot's; or, by his own will, he resigns."""
    gone = state.chairs[player].holder
    if not state.in_game:
        state = state.with_chair(player, Chair())
    elif resigns and "resigned" in spec.game.forfeits:
        state = replace(state, play=forfeited(state.running, (player,), "resigned"))
        state = finish_if_over(spec, state, at).with_chair(player, Chair())
    else:
        level, name = state.substitute, state.chairs[player].name
        state = state.with_chair(player, Chair(ChairKind.BOT, name, level=level, left=True))
    return _without_host(_deserted(state, at), gone)


def _deserted(state: TableState, at: int) -> TableState:
    """Bots don't play on among themselves when the last person has gone."""
    if state.persons() or not state.in_game:
        return state
    return aborted(state, at)


def _without_host(state: TableState, gone: str | None) -> TableState:
    """The host's say goes to the next person; a table that nobody is left at is closed."""
    holders = [state.chairs[player].holder for player in state.persons()]
    if gone is not None and state.host == gone and gone not in holders:
        state = replace(state, host=next((holder for holder in holders if holder), None))
    if not holders and state.host is None:
        state = replace(state, phase=Phase.CLOSED)
    return state
