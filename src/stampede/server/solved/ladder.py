"""What the shipped certificates prove, as a page shows it: rungs, boards, first moves, other positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from stampede.buffalo import Position, Side
from stampede.buffalo.geometry import FILES
from stampede.core.json import JsonObject
from stampede.proofs.certificates.shipped import VerifiedCertificate, verified_certificates
from stampede.proofs.estimates import EstimateBudget, RungEstimate, shipped_estimates
from stampede.proofs.results import (
    Fact,
    Way,
    facts,
    hunter_ways,
    mirror_files,
    narrow_start,
    proving_certificate,
    ways,
)

__all__ = ["ProvenStart", "find_start", "solved_json"]

WIDTH: Final = len(FILES)
_NARROWEST: Final = 5
_EDGES_FIRST: Final = "akbjcidhegf"


@dataclass(frozen=True, slots=True)
class ProvenStart:
    """A proven position that can be played against its proof.

    Attributes:
        name: A name for addresses, such as ``rung-3``.
        position: The position.
        winner: The side that is proven to win.
        width: The number of the board's columns.
        certificate: The name of the certificate.
    """

    name: str
    position: Position
    winner: Side
    width: int
    certificate: str

    def to_json(self) -> JsonObject:
        """The start as JSON."""
        return {
            "name": self.name,
            "fen": self.position.fen(),
            "turn": self.position.turn.word,
            "winner": self.winner.word,
            "width": self.width,
            "certificate": self.certificate,
        }


@cache
def _known() -> tuple[tuple[VerifiedCertificate, ...], tuple[Fact, ...]]:
    certificates = tuple(verified_certificates())
    return certificates, tuple(facts(certificates))


@cache
def _starts() -> dict[str, ProvenStart]:
    """All starts by name: the rungs that are proven in full, and every claim of every certificate."""
    _, known = _known()
    found: dict[str, ProvenStart] = {}
    direct = hunter_ways(known)
    for rung in range(1, WIDTH):
        way = _edge_files(rung)
        by = proving_certificate(way, direct)
        if by is not None:
            start = ProvenStart(f"rung-{rung}", Position.start(way), Side.HUNTER, WIDTH, by)
            found[start.name] = start
    for fact in known:
        number = sum(start.certificate == fact.by.name for start in found.values()) + 1
        name = _claim_name(fact, number)
        found[name] = ProvenStart(name, fact.position, fact.winner, fact.width, fact.by.name)
    return found


def _claim_name(fact: Fact, number: int) -> str:
    if fact.kind == "board":
        return f"board-{fact.width}"
    if fact.kind == "fewer":
        return f"without-{''.join(sorted(fact.files))}"
    if fact.kind == "opening":
        return f"opening-{''.join(sorted(fact.files))}"
    return fact.by.name if len(fact.by.header.claims) == 1 else f"{fact.by.name}-{number}"


def _edge_files(count: int) -> Way:
    """So many files from both edges: the way of a rung that the page draws."""
    return frozenset(_EDGES_FIRST[:count])


def find_start(name: str) -> ProvenStart | None:
    """The start of this name; None if there is none."""
    return _starts().get(name)


@cache
def solved_json() -> JsonObject:
    """All that is proven, as a `SolvedAnswer`."""
    certificates, known = _known()
    starts = _starts()
    return {
        "rungs": [_rung_json(rung, known) for rung in range(WIDTH - 1, -WIDTH, -1)],
        "boards": [_board_json(width, starts) for width in range(_NARROWEST, WIDTH)],
        "first_moves": [_first_move_json(way, known) for way in ways(1)],
        "fewer": [
            _fewer_json(count, way, known)
            for count in range(1, 3)
            for way in sorted(ways(count), key=sorted)
        ],
        "others": [
            starts[name].to_json()
            for fact in known
            if fact.kind == "position" and (name := _name_of(fact, starts)) is not None
        ],
        "certificates": [_certificate_json(proof) for proof in certificates],
    }


def _name_of(fact: Fact, starts: dict[str, ProvenStart]) -> str | None:
    return next((name for name, start in starts.items() if start.position == fact.position), None)


def _rung_json(rung: int, known: tuple[Fact, ...]) -> JsonObject:
    told = _verdict_json(rung, known)
    return {**told, "known": [] if told["winner"] is not None else _estimates_json(rung, known)}


def _estimates_json(rung: int, known: tuple[Fact, ...]) -> list[JsonObject]:
    """What is known about a rung that is open, without the ways of it that are proven."""
    budget, estimates = shipped_estimates()
    direct = hunter_ways(known)
    return [
        _estimate_json(one, budget)
        for one in estimates
        if one.rung == rung
        and not one.stepped
        and proving_certificate(frozenset(one.missing), direct) is None
    ]


def _estimate_json(one: RungEstimate, budget: EstimateBudget) -> JsonObject:
    return {
        "missing": one.missing,
        "score": one.score,
        "positions": budget.positions,
        "games": len(budget.games),
        "hunter_wins": one.hunter_wins,
        "searched": one.searched,
        "likely": None if one.likely is None else one.likely.to_json(),
    }


def _verdict_json(rung: int, known: tuple[Fact, ...]) -> JsonObject:
    if rung > 0:
        return _fewer_rung_json(rung, known)
    if rung == 0:
        first = [fact for fact in known if fact.kind == "fewer" and not fact.files]
        return {
            "rung": 0,
            "winner": first[0].winner.word if first else None,
            "proven": len(first),
            "total": 1,
            "certificates": [fact.by.name for fact in first],
            "fen": Position.start().fen(),
            "start": None,
        }
    steps = 1 - rung
    here = [fact for fact in known if fact.kind == "opening" and len(fact.files) == steps]
    won = [fact for fact in here if fact.winner is Side.BUFFALO]
    total = len(ways(steps))
    winner = Side.BUFFALO.word if won else Side.HUNTER.word if len(here) == total else None
    names = sorted({fact.by.name for fact in (won or here)})
    start = f"opening-{''.join(sorted(won[0].files))}" if won else None
    return {
        "rung": rung,
        "winner": winner,
        "proven": len(won or here),
        "total": total,
        "certificates": list(names),
        "fen": _stepped(steps).fen(),
        "start": start,
    }


def _fewer_rung_json(rung: int, known: tuple[Fact, ...]) -> JsonObject:
    direct = hunter_ways(known)
    all_ways = ways(rung)
    proven = [by for way in all_ways if (by := proving_certificate(way, direct)) is not None]
    winner = Side.HUNTER.word if len(proven) == len(all_ways) else None
    fen = Position.start(_edge_files(rung)).fen()
    start = f"rung-{rung}" if find_start(f"rung-{rung}") else None
    return {
        "rung": rung,
        "winner": winner,
        "proven": len(proven),
        "total": len(all_ways),
        "certificates": sorted(set(proven)),
        "fen": fen,
        "start": start,
    }


def _stepped(steps: int) -> Position:
    """The position after an opening turn of so many steps, in the middle of the board."""
    middle = _EDGES_FIRST[WIDTH - steps :]
    row = "".join("b" if name in middle else "." for name in FILES)
    bank = "".join("." if name in middle else "b" for name in FILES)
    home = Position.start().fen().split(" ")[0].split("/")
    ranks = [_pack(bank), _pack(row), *home[2:]]
    return Position.from_fen(f"{'/'.join(ranks)} w - - 0 1")


def _pack(row: str) -> str:
    text, empty = "", 0
    for sign in f"{row} ":
        if sign == ".":
            empty += 1
            continue
        text, empty = f"{text}{empty or ''}{sign}", 0
    return text.strip()


def _board_json(width: int, starts: dict[str, ProvenStart]) -> JsonObject:
    start = starts.get(f"board-{width}")
    return {
        "width": width,
        "fen": narrow_start(width).fen(),
        "winner": None if start is None else start.winner.word,
        "certificate": None if start is None else start.certificate,
        "start": None if start is None else start.name,
    }


def _first_move_json(way: Way, known: tuple[Fact, ...]) -> JsonObject:
    fact = next(
        (f for f in known if f.kind == "opening" and f.files in (way, mirror_files(way))), None
    )
    name = None if fact is None else f"opening-{''.join(sorted(fact.files))}"
    budget, estimates = shipped_estimates()
    about = [one for one in estimates if one.stepped in way] if fact is None else []
    return {
        "files": sorted(way),
        "winner": None if fact is None else fact.winner.word,
        "certificate": None if fact is None else fact.by.name,
        "start": name,
        "known": [_estimate_json(one, budget) for one in about],
    }


def _fewer_json(count: int, way: Way, known: tuple[Fact, ...]) -> JsonObject:
    """Which buffaloes are missing, and who wins then; mirror images count once."""
    by = proving_certificate(way, hunter_ways(known))
    text = "".join(sorted(way))
    twin = "".join(sorted(mirror_files(way)))
    start = next(
        (name for name in (f"without-{text}", f"without-{twin}") if find_start(name)), None
    )
    return {
        "missing": count,
        "files": sorted(way),
        "winner": None if by is None else Side.HUNTER.word,
        "certificate": by,
        "start": start,
    }


def _certificate_json(proof: VerifiedCertificate) -> JsonObject:
    header = proof.header
    return {
        "name": proof.name,
        "winner": header.winner.word,
        "width": header.width,
        "claims": len(header.claims),
        "claim": header.claims[0].position.fen(),
        "answers": header.positions,
        "tablebases": list(header.tablebase_names),
        "bytes": proof.size,
        "seconds": proof.seconds,
    }
