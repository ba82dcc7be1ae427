"""How a game of Zoff ended, as views and records show it."""

from __future__ import annotations

from dataclasses import dataclass

from stampede.core.events import JsonFields
from stampede.core.game import Seat
from stampede.zoff.actions import BID_UNIT
from stampede.zoff.state import EndReason, State

__all__ = ["FinalPayment", "ZoffResult"]


@dataclass(frozen=True, slots=True)
class FinalPayment(JsonFields):
    """Cows that an open pasture paid on itself after the last round (Z7.1)."""

    pasture: str
    colour: str
    cows: int


@dataclass(frozen=True, slots=True)
class ZoffResult(JsonFields):
    """How a game of Zoff ended.

    Attributes:
        reason: The last round was over, every pasture was full, or a player had placed their last cow.
        final_bonus: What the open pastures paid at the end (Z7).
        placed: By seat, the cows on pastures.
        bids: By seat, the bid; null without an auction.
        scores: By seat, the cows on pastures less the bid.
        winners: The seats that won.
    """

    reason: EndReason
    final_bonus: tuple[FinalPayment, ...]
    placed: tuple[int, ...]
    bids: tuple[str | None, ...] | None
    scores: tuple[int | float, ...]
    winners: tuple[Seat, ...]

    @classmethod
    def of(cls, state: State) -> ZoffResult:
        """Takes the result out of a finished game."""
        ending, setup = state.ending, state.setup
        assert ending is not None, "only a finished game has a result"
        bids = tuple(None if bid is None else bid.text for bid in state.bids)
        return cls(
            reason=ending.reason,
            final_bonus=tuple(
                FinalPayment(setup.pastures[pasture].name, setup.colours[colour], cows)
                for pasture, colour, cows in ending.final
            ),
            placed=ending.placed,
            bids=bids if setup.rules.auction else None,
            scores=tuple(_score(units) for units in ending.scores),
            winners=ending.winners,
        )


def _score(units: int) -> int | float:
    """A score as JSON: whole where it is whole, else the nearest decimal number, which prints exactly."""
    whole, rest = divmod(units, BID_UNIT)
    return whole if not rest else units / BID_UNIT
