"""Reviews a finished game: what each decision was worth, what would have been better, and how the chances moved.

The record tells everything, so all hands are known here. A choice is evaluated against what the others may have
chosen (`stampede.search.zoff.review.choices`), not against what they happened to lay: luck isn't skill. Values are in
cows: own expected cows at the end less the mean of the others'.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stampede.core.errors import InputError
from stampede.core.game import Seat
from stampede.core.json import Json, JsonObject
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.kernels.rng import RngState, new_rng
from stampede.kernels.zoff.bridge import (
    decode_bonus,
    decode_choice,
    encode,
    encode_bonus,
    encode_choice,
    encode_setup,
)
from stampede.kernels.zoff.layout import MAX_COLOURS, SetupRecord, StateRecord
from stampede.kernels.zoff.options import (
    bonus_count,
    bonus_room,
    choice_count,
    nth_bonus,
    placements,
)
from stampede.search.zoff.review.choices import LEAD, review_choices
from stampede.search.zoff.review.openings import (
    ReviewedOpening,
    review_bid,
    review_pick,
    review_settling,
    worths_of_colours,
)
from stampede.search.zoff.review.remarks import (
    SMALL,
    describe_action,
    explain_answer,
    explain_choice,
)
from stampede.search.zoff.strategy import Effort, evaluate_answers
from stampede.search.zoff.value import Net, expected_cows, fill_win_chances, load_net
from stampede.zoff import ZoffGame
from stampede.zoff.actions import Bid, Choose, Pick, Place, PlaceBonus, Settle, TakeBack, ZoffAction
from stampede.zoff.state import State, ZoffPhase

__all__ = ["Decision", "GameReview", "Moment", "analyse_game"]

EFFORT = Effort(pool=96, samples=6, keep=10, rounds=8_000, leaves=2_000)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the seats stand when a round begins, and at the end (round 0)."""

    round: int
    cows: tuple[float, ...]
    chances: tuple[float, ...]

    def to_json(self) -> JsonObject:
        """The moment as JSON."""
        return {
            "round": self.round,
            "cows": [round(cows, 2) for cows in self.cows],
            "chances": [round(chance, 4) for chance in self.chances],
        }


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, reviewed.

    Attributes:
        turn: Its number in the game, from 0.
        round: The running round; 0 before the first.
        seat: Who decided.
        chosen: What was done.
        best: What would have been best; the same when nothing was better.
        value: What the chosen action is worth, in cows of lead.
        best_value: What the best one is worth.
        options: How many there were to choose from; 0 for a bid, which can be any number.
        words: Why.
    """

    turn: int
    round: int
    seat: Seat
    chosen: ZoffAction
    best: ZoffAction
    value: float
    best_value: float
    options: int
    words: str

    @property
    def regret(self) -> float:
        """How many cows the decision gave away."""
        return max(0.0, self.best_value - self.value)

    def to_json(self) -> JsonObject:
        """The decision as JSON."""
        return {
            "turn": self.turn,
            "round": self.round,
            "seat": self.seat,
            "chosen": self.chosen.to_json(),
            "best": self.best.to_json(),
            "value": round(self.value, 3),
            "best_value": round(self.best_value, 3),
            "regret": round(self.regret, 3),
            "options": self.options,
            "words": self.words,
        }


@dataclass(frozen=True, slots=True)
class GameReview:
    """The review of a whole game."""

    names: tuple[str, ...]
    colours: tuple[tuple[str, ...], ...]
    moments: tuple[Moment, ...]
    decisions: tuple[Decision, ...]
    scores: tuple[float, ...]
    winners: tuple[Seat, ...]

    def regrets(self) -> list[float]:
        """By seat: all that was given away."""
        return [
            sum(decision.regret for decision in self.decisions if decision.seat == seat)
            for seat in range(len(self.names))
        ]

    def to_json(self) -> JsonObject:
        """The review as JSON: what a browser needs."""
        seats: list[Json] = [
            {"name": name, "colours": list(colours), "regret": round(regret, 3)}
            for name, colours, regret in zip(self.names, self.colours, self.regrets(), strict=True)
        ]
        return {
            "format": "stampede-analysis/1",
            "game": "zoff",
            "seats": seats,
            "scores": list(self.scores),
            "winners": list(self.winners),
            "moments": [moment.to_json() for moment in self.moments],
            "decisions": [decision.to_json() for decision in self.decisions],
        }


def analyse_game(
    record: GameRecord, game: ZoffGame | None = None, effort: Effort = EFFORT, seed: int = 0
) -> GameReview:
    """Reviews a finished game, from settling and bids to the last bonus.

    Raises:
        InputError: The record isn't a finished game of Zoff, or not by the rules.
    """
    if record.game != ZoffGame.name or record.result is None:
        raise InputError(
            f"analyse: expected a finished game of zoff, got {record.game}"
            f"{' without a result' if record.result is None else ''}"
        )
    rules = game or ZoffGame()
    played = replay(rules, record)
    net = load_net(played.rules.players)
    moments: list[Moment] = []
    decisions: list[Decision] = []
    before = played.start
    opening = _Opening(rules, new_rng(seed))
    answers: dict[Seat, tuple[int, Seat, Choose]] = {}
    opened = before
    for turn, (seat, action, after, _) in enumerate(played.turns):
        if isinstance(action, Choose):
            if not answers:
                opened = before
                if opened.round == 1:
                    opening.end(opened)
                moments.append(_moment(before, net))
            answers[seat] = (turn, seat, action)
            if len(answers) == played.rules.players:
                found = _choices(opened, list(answers.values()), net, effort, new_rng(seed + turn))
                decisions.extend(found)
                answers = {}
        elif isinstance(action, TakeBack):
            answers.pop(seat, None)
            opening.take_back(seat)
        elif isinstance(action, Place | PlaceBonus):
            decisions.append(
                _answer(before, (turn, seat, action), net, effort, new_rng(seed + turn))
            )
        else:
            opening.add(turn, seat, action, before)
        before = after
    decisions.extend(opening.decisions)
    moments.append(_moment(before, net))
    ending = before.ending
    assert ending is not None, "a record with a result was replayed to its end"
    return GameReview(
        names=tuple(seat.name for seat in record.seats),
        colours=tuple(_colours(before, seat) for seat in range(played.rules.players)),
        moments=tuple(moments),
        decisions=tuple(sorted(decisions, key=lambda decision: decision.turn)),
        scores=tuple(units / 10_000 for units in ending.scores),
        winners=ending.winners,
    )


class _Opening:
    """Gathers the decisions before the first round, and reviews them once the first round begins."""

    def __init__(self, game: ZoffGame, rng: RngState) -> None:
        self.game = game
        self.rng = rng
        self.taken: list[tuple[int, Seat, ZoffAction, State]] = []
        self.decisions: list[Decision] = []

    def add(self, turn: int, seat: Seat, action: ZoffAction, before: State) -> None:
        """A settling, a bid or a pick."""
        self.taken.append((turn, seat, action, before))

    def take_back(self, seat: Seat) -> None:
        """The last answer of this seat doesn't count, if there was one."""
        for index in range(len(self.taken) - 1, -1, -1):
            if self.taken[index][1] == seat:
                del self.taken[index]
                return

    def end(self, first_round: State) -> None:
        """Reviews all of them."""
        settled = {seat: way for _, seat, way, _ in self.taken if isinstance(way, Settle)}
        weighed: dict[Seat, ReviewedOpening] = {}
        worths: dict[str, float] = {}
        for turn, seat, action, before in self.taken:
            match action:
                case Settle():
                    weighed = weighed or review_settling(self.game, before, settled, self.rng)
                    self._decide(turn, seat, action, weighed[seat])
                case Bid():
                    worths = worths or worths_of_colours(first_round, self.rng)
                    self._decide(turn, seat, action, review_bid(action, worths))
                case Pick():
                    worths = worths or worths_of_colours(first_round, self.rng)
                    free = [way for way in self.game.legal(before, seat) if isinstance(way, Pick)]
                    self._decide(turn, seat, action, review_pick(before, action, free, worths))
                case _:
                    raise AssertionError(f"expected a decision before the rounds, got {action}")

    def _decide(self, turn: int, seat: Seat, action: ZoffAction, found: ReviewedOpening) -> None:
        self.decisions.append(
            Decision(
                turn=turn,
                round=0,
                seat=seat,
                chosen=action,
                best=found.best,
                value=found.value,
                best_value=found.best_value,
                options=found.options,
                words=found.words,
            )
        )


def _colours(state: State, seat: Seat) -> tuple[str, ...]:
    group = state.setup.groups[state.owners.index(seat)]
    return tuple(state.setup.colours[colour] for colour in group.colours)


def _moment(state: State, net: Net) -> Moment:
    setup, record = encode_setup(state), encode(state)
    cows, wins = np.zeros(MAX_COLOURS), np.zeros(MAX_COLOURS)
    expected_cows(setup, record, net, cows)
    fill_win_chances(setup, record, net, cows, wins)
    players = state.setup.rules.players
    number = 0 if state.ending is not None else state.round
    return Moment(number, tuple(map(float, cows[:players])), tuple(map(float, wins[:players])))


def _choices(
    state: State,
    answers: list[tuple[int, Seat, Choose]],
    net: Net,
    effort: Effort,
    rng: RngState,
) -> list[Decision]:
    """Reviews all choices of a round together."""
    setup, record = encode_setup(state), encode(state)
    laid = np.zeros((MAX_COLOURS, 4), dtype=np.int16)
    for _, seat, choose in answers:
        laid[seat] = encode_choice(state, seat, choose)
    decisions = []
    judged = review_choices(setup, record, laid, net, effort, rng)
    for turn, seat, choose in answers:
        found = judged[seat]
        better = decode_choice(state, seat, found.best)
        gap = found.best_value - found.value
        decisions.append(
            Decision(
                turn=turn,
                round=state.round,
                seat=seat,
                chosen=choose,
                best=choose if gap <= 0 else better,
                value=found.value,
                best_value=found.best_value,
                options=int(choice_count(setup, record, seat)),
                words=explain_choice(choose, better, gap, found.share),
            )
        )
    return decisions


def _answer(
    state: State,
    answer: tuple[int, Seat, Place | PlaceBonus],
    net: Net,
    effort: Effort,
    rng: RngState,
) -> Decision:
    turn, seat, action = answer
    setup, record = encode_setup(state), encode(state)
    worth = evaluate_answers(setup, record, net, effort, rng, LEAD)
    options = _answers(setup, record, state)
    best = len(worth) - 1 - int(np.argmax(worth[::-1]))
    if isinstance(action, PlaceBonus):
        chosen = options.index(decode_bonus(state, encode_bonus(state, action)))
    else:
        chosen = options.index(action)
    gap = float(worth[best] - worth[chosen])
    reason = explain_answer(state, setup, record, seat, (chosen, best), gap)
    return Decision(
        turn=turn,
        round=state.round,
        seat=seat,
        chosen=action,
        best=action if gap <= 0 else options[best],
        value=float(worth[chosen]),
        best_value=float(worth[best]),
        options=len(options),
        words=reason if gap < SMALL else f"{describe_action(options[best])}: {reason}",
    )


def _answers(setup: SetupRecord, record: StateRecord, state: State) -> list[Place | PlaceBonus]:
    """All answers, in the order of `search_answers`."""
    if state.phase is ZoffPhase.PLACE:
        mask = int(placements(record)) | 1
        return [Place(cows) for cows in range(8) if mask >> cows & 1]
    room = bonus_room(setup, record)
    return [decode_bonus(state, nth_bonus(room, index)) for index in range(bonus_count(room))]
