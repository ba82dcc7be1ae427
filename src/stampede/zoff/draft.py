"""A state being worked on: the only mutable thing in these rules. It lives inside one `apply`, then is frozen."""

from __future__ import annotations

from stampede.core.events import Event
from stampede.zoff.state import Filling, Payment, State, ZoffPhase

__all__ = ["Draft"]


class Draft:
    """A state's working copy, with the events of the action so far."""

    __slots__ = (
        "bid_round",
        "bidders",
        "bids",
        "discards",
        "ending",
        "events",
        "free",
        "hands",
        "herds",
        "laid",
        "line",
        "names",
        "owners",
        "payments",
        "phase",
        "picks",
        "places",
        "queue",
        "reserves",
        "round",
        "sealed",
        "seats",
        "setup",
        "waiting",
    )

    def __init__(self, state: State) -> None:
        self.setup = state.setup
        self.phase = state.phase
        self.round = state.round
        self.herds = list(state.herds)
        self.free = list(state.free)
        self.reserves = list(state.reserves)
        self.hands = state.hands
        self.discards = state.discards
        self.owners = state.owners
        self.sealed = state.sealed
        self.bids = state.bids
        self.bid_round = state.bid_round
        self.bidders = state.bidders
        self.places = state.places
        self.picks = state.picks
        self.laid = state.laid
        self.waiting = state.waiting
        self.line = state.line
        self.payments: list[Payment] = list(state.payments)
        self.queue: list[Filling] = list(state.queue)
        self.ending = state.ending
        self.events: list[Event] = []
        # Derived once, because resolving asks for them again and again.
        self.names = state.setup.colours
        self.seats = [state.owners[group] for group in state.setup.group_of]

    def freeze(self) -> State:
        """The state that the draft has become."""
        return State(
            setup=self.setup,
            phase=self.phase,
            round=self.round,
            herds=tuple(self.herds),
            free=tuple(self.free),
            reserves=tuple(self.reserves),
            hands=self.hands,
            discards=self.discards,
            owners=self.owners,
            sealed=self.sealed,
            bids=self.bids,
            bid_round=self.bid_round,
            bidders=self.bidders,
            places=self.places,
            picks=self.picks,
            laid=self.laid,
            waiting=self.waiting,
            line=self.line,
            payments=tuple(self.payments),
            queue=tuple(self.queue),
            ending=self.ending,
        )

    def seat_of(self, colour: int) -> int:
        """Who plays a colour."""
        seat = self.seats[colour]
        assert seat is not None, "colours have owners once cows are placed"
        return seat

    def add_cows(self, pasture: int, colour: int, cows: int) -> None:
        """Moves cows from the reserve to a pasture. Checks nothing."""
        herd = self.herds[pasture]
        self.herds[pasture] = (*herd[:colour], herd[colour] + cows, *herd[colour + 1 :])
        self.reserves[colour] -= cows
        self.free[pasture] -= cows

    def reserve_is_empty(self, colour: int) -> bool:
        """Whether the player of this colour has placed all their cows, both colours' with two players (Z10.8)."""
        group = self.setup.groups[self.setup.group_of[colour]]
        return not any(self.reserves[own] for own in group.colours)

    def wait_for(self, phase: ZoffPhase) -> None:
        """Stops at a decision."""
        self.phase = phase
