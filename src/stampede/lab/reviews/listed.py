"""Wins that a review takes from a shipped certificate: the file is verified here, and has to prove that very position.

A review finds them in a book (`stampede.oracle.book`), an index that is read from files recorded as verified. Neither
the index nor the record is believed here: the verifier checks the file, and its positions are compared square by
square. The tablebases of one file can take a quarter of an hour, so the record may be believed on request.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stampede.buffalo import Position, Side
from stampede.proofs.certificates.board import from_file_order, position_of
from stampede.proofs.certificates.format import read_blocks, read_header
from stampede.proofs.certificates.shipped import certificate_path, list_unverified
from stampede.proofs.certificates.verify import verify

__all__ = ["Certificates"]


@dataclass(frozen=True, slots=True, eq=False)
class _Listed:
    """What a file proves, if it is sound: positions by their chief and dogs."""

    winner: Side
    positions: dict[tuple[object, ...], list[Position]]
    fault: str


class Certificates:
    """Certificates by name; each is verified once, with its tablebases rebuilt.

    Args:
        recorded: Whether files with the SHA-256 of a recorded verification count as verified.
    """

    def __init__(self, *, recorded: bool = False) -> None:
        self._recorded = recorded
        self._read: dict[str, _Listed] = {}

    def prove(self, name: str, position: Position, winner: Side) -> bool:
        """Whether the certificate is sound, and proves that a side wins this position.

        It does if it lists the position or its mirror image, or one that is won with more against it: a hunter who
        beats some buffaloes beats fewer of them, and what some buffaloes win they win with others beside them
        (docs/certificates.md, "Fewer buffaloes").
        """
        if name not in self._read:
            path = certificate_path(name)
            known = self._recorded and path.exists() and path not in list_unverified(path.parent)
            self._read[name] = _read(path, known=known)
        listed = self._read[name]
        if listed.fault or listed.winner is not winner:
            return False
        return any(
            _is_harder(other, place, winner)
            for place in (position, position.mirror())
            for other in listed.positions.get(_hunters(place), ())
        )


def _is_harder(listed: Position, position: Position, winner: Side) -> bool:
    """Whether a side that wins one position wins another one with the same hunters, too."""
    there, here = set(listed.buffaloes), set(position.buffaloes)
    return here <= there if winner is Side.HUNTER else there <= here


def _hunters(position: Position) -> tuple[object, ...]:
    return position.turn, position.chief, frozenset(position.dogs)


def _read(path: Path, *, known: bool) -> _Listed:
    fault = None if known else verify([path])[0].fault
    if fault is not None:
        return _Listed(Side.HUNTER, {}, str(fault))
    with path.open("rb") as file:
        winner = read_header(file).winner
    positions: dict[tuple[object, ...], list[Position]] = {}
    for position in _positions(path):
        positions.setdefault(_hunters(position), []).append(position)
    return _Listed(winner, positions, "")


def _positions(path: Path) -> Iterator[Position]:
    """The positions that a file claims, and those that it has an answer for."""
    with path.open("rb") as file:
        header = read_header(file)
        yield from (claim.position for claim in header.claims)
        for block in read_blocks(file, header):
            for key in block.keys:
                place = from_file_order(int(key), int(header.winner))
                yield position_of(place, hunter_to_move=header.winner is Side.HUNTER)
