"""Verifies proven wins of Buffalo without the engine's word for them.

Who wins is proven anew by another algorithm, proof-number search without tablebases, whose certificate the independent
verifier then checks. How soon is checked by the readable rules: the engine only proposes a move for the winner, and
every reply of the other side is tried. Where a certificate decides and the win is too long for that search, the
certificate itself is verified, and has to prove the position.
"""

from __future__ import annotations

import random
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stampede.buffalo import Position, Side
from stampede.kernels.buffalo.bridge import new_board
from stampede.kernels.buffalo.layout import KEY
from stampede.lab.reviews.listed import Certificates
from stampede.oracle import default_oracle
from stampede.proofs.certificates.verify import verify
from stampede.proofs.search.certify import certify
from stampede.proofs.search.prove import Prover
from stampede.search.buffalo.engine import Engine, Limits

__all__ = ["WinCheck", "WinChecker"]

_PROOF: Final = 3_000_000
"""Positions of a proof-number search."""
_MEGABYTES: Final = 64
_PROPOSALS: Final = (3_000, 100_000, 1_000_000)
"""Nodes for the winner's next move: more where the win isn't found."""
_DEFENCES: Final = 20
"""Random defences against a win that is too long to prove again."""


@dataclass(frozen=True, slots=True)
class WinCheck:
    """What is known about a claim "this side wins in so many plies at most".

    Attributes:
        winner: True if the win is proven again, False if it is refuted, None if the budget didn't suffice.
        plies: The same for the number of plies.
        listed: Whether the certificate that the claim names is verified and proves the position; None where the win is
            proven again, or no certificate is named.
        played: The random defences that lost in time, where the win wasn't proven again.
    """

    winner: bool | None
    plies: bool | None
    listed: bool | None = None
    played: int = 0

    @property
    def is_refuted(self) -> bool:
        """Whether the claim is wrong, or a random defence held against one that is too long to prove again."""
        open_and_held = self.winner is None and self.played < _DEFENCES
        return self.winner is False or self.plies is False or self.listed is False or open_and_held


class _OutOfBudgetError(Exception):
    """More positions than allowed."""


class WinChecker:
    """Checks wins; keeps what it has proven from one to the next."""

    def __init__(
        self, most: int = 4_000, proof: int = _PROOF, certificates: Certificates | None = None
    ) -> None:
        """Makes a checker.

        Args:
            most: The winner's positions that may be visited to check a number of plies.
            proof: The positions of a proof-number search.
            certificates: Certificates that are verified already.
        """
        self._most = most
        self._proof = proof
        self._prover = Prover((), megabytes=_MEGABYTES, cores=1)
        self._engine = Engine(1 << 20)
        self._certificates = certificates or Certificates()
        self._soonest: dict[tuple[int, Side], int] = {}
        self._visited = 0

    def check(
        self, position: Position, winner: Side, plies: int, certificate: str = ""
    ) -> WinCheck:
        """Checks that a side wins a position in so many plies at most; by this certificate, if one is named."""
        if position.is_over:
            return WinCheck(position.winner is winner, plies >= 0)
        won, soon = self._is_won(position, winner), self._is_soon(position, winner, plies)
        won = won if won is not None else soon
        if won is not None:
            return WinCheck(won, soon)
        listed = None
        if certificate:
            listed = self._certificates.prove(certificate, position, winner)
        played = sum(_loses(position, winner, plies, seed) for seed in range(_DEFENCES))
        return WinCheck(None, soon, listed, played)

    def _is_won(self, position: Position, winner: Side) -> bool | None:
        key = int(new_board(position)[KEY])
        found = self._prover.search(key, positions=self._proof).winner
        if found is None:
            return None
        if found is not winner:
            return False
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "win.cert"
            certify(self._prover, [key], winner, title="A win of a review", path=path)
            return verify([path])[0].fault is None

    def _is_soon(self, position: Position, winner: Side, plies: int) -> bool | None:
        self._visited = 0
        try:
            return self._wins(position, winner, plies)
        except _OutOfBudgetError:
            return None

    def _wins(self, position: Position, winner: Side, plies: int) -> bool:
        if position.is_over:
            return position.winner is winner
        if plies <= 0:
            return False
        key = int(new_board(position)[KEY]), winner
        if self._soonest.get(key, plies + 1) <= plies:
            return True
        if position.turn is winner:
            holds = self._wins_by_proposal(position, winner, plies)
        else:
            holds = all(
                self._wins(position.after(move), winner, plies - 1) for move in position.legal_moves
            )
        if holds:
            self._soonest[key] = plies
        return holds

    def _wins_by_proposal(self, position: Position, winner: Side, plies: int) -> bool:
        self._visited += 1
        if self._visited > self._most:
            raise _OutOfBudgetError
        for nodes in _PROPOSALS:
            best = self._engine.search(position, Limits(nodes=nodes)).best
            if best.plies is not None and 0 < best.plies <= plies:
                return self._wins(position.after(best.move), winner, plies - 1)
        # No proposal is no refutation.
        raise _OutOfBudgetError


def _loses(position: Position, winner: Side, plies: int, seed: int) -> bool:
    """Whether a random defence loses in time against moves that an oracle or a search proposes."""
    rng, oracle, engine = random.Random(seed), default_oracle(), Engine(1 << 16)
    for _ in range(plies):
        if position.is_over:
            break
        if position.turn is not winner:
            move = rng.choice(list(position.legal_moves))
        elif (known := oracle.consult(position).result) is not None and known.move is not None:
            move = known.move
        else:
            move = engine.search(position, Limits(nodes=_PROPOSALS[0])).best.move
        position = position.after(move)
    return position.winner is winner
