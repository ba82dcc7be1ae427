"""What is solved: the page ``docs/solved.md``, made from verified certificates and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from stampede.buffalo import Position, Side
from stampede.buffalo.geometry import FILES
from stampede.proofs.certificates.format import CertificateHeader, narrow_fen, wide_position
from stampede.proofs.certificates.shipped import VerifiedCertificate

__all__ = [
    "Fact",
    "Way",
    "facts",
    "hunter_ways",
    "mirror_files",
    "narrow_start",
    "page",
    "proving_certificate",
    "ways",
]

WIDTH: Final = len(FILES)
HOME: Final = Position.start()

Way = frozenset[str]
"""Files by their letters: those without a buffalo, or those whose buffalo has stepped."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim of a verified certificate, by what it is about.

    Attributes:
        kind: ``board`` (a narrow board's start), ``fewer`` (the start without some buffaloes, B4.2), ``opening`` (after
            an opening turn, B4.3; one step is an ordinary first move) or ``position`` (anything else).
        winner: The side that wins.
        width: The number of the board's columns.
        files: The files that the kind is about.
        position: The position.
        by: The certificate.
    """

    kind: str
    winner: Side
    width: int
    files: Way
    position: Position
    by: VerifiedCertificate


def narrow_start(width: int) -> Position:
    """The start on a board of so many columns: a buffalo each, chief and dogs side by side in the middle."""
    left = width // 2 - 2
    empty = f"/{width}"
    hunters = f"{left or ''}DDCDD{width - left - 5 or ''}"
    return wide_position(f"{'b' * width}{4 * empty}/{hunters}{empty} b - - 0 1", width)


def ways(count: int) -> list[Way]:
    """The ways to choose so many files, one of each pair of mirror images, in order."""
    return [
        frozenset(chosen)
        for chosen in combinations(FILES, count)
        if sorted(chosen) <= sorted(mirror_files(frozenset(chosen)))
    ]


def mirror_files(way: Way) -> Way:
    """The files of the mirror image."""
    return frozenset(FILES[WIDTH - 1 - FILES.index(name)] for name in way)


def _shown(way: Way) -> str:
    return " ".join(sorted(way)) or "none"


def facts(found: Iterable[VerifiedCertificate]) -> Iterator[Fact]:
    """Every claim of verified certificates."""
    for proof in found:
        for claim in proof.header.claims:
            kind, files = _kind(proof.header, claim.position)
            yield Fact(kind, proof.header.winner, proof.header.width, files, claim.position, proof)


def _kind(header: CertificateHeader, position: Position) -> tuple[str, Way]:
    if header.width < WIDTH:
        at_start = position == narrow_start(header.width)
        return ("board" if at_start else "position"), frozenset()
    at_home = (position.chief, position.dogs) == (HOME.chief, HOME.dogs)
    ranks = {square.file_name: square.rank for square in position.buffaloes}
    if at_home and position.turn is Side.BUFFALO and set(ranks.values()) <= {7}:
        return "fewer", frozenset(FILES) - frozenset(ranks)
    if (
        at_home
        and position.turn is Side.HUNTER
        and len(ranks) == WIDTH
        and set(ranks.values()) == {6, 7}
    ):
        return "opening", frozenset(name for name, rank in ranks.items() if rank == 6)
    return "position", frozenset()


# --- the page ---


def page(found: Sequence[VerifiedCertificate]) -> str:
    """The page, as Markdown."""
    known = list(facts(found))
    parts = [
        _HEAD,
        _ladder(known),
        _boards(known),
        _fewer(known),
        _openings(known),
        _others(known),
        _files(found),
    ]
    return "\n".join(parts)


_HEAD: Final = """\
# Who wins Buffalo?

<!-- Generated from verified certificates by `make solved`. Don't edit. -->

It isn't known which side wins from the start. This page lists what is proven about smaller boards, fewer buffaloes and
other openings. Each line has a certificate, a file that [anyone can check](certificates.md):

```console
$ stampede solve verify columns-5
```

The page is generated from verified certificates only. Without a certificate a position is called open. Mirror images
aren't listed.
"""


def hunter_ways(known: Sequence[Fact]) -> dict[Way, str]:
    """The certificate for each way with buffaloes left out that the hunter wins, mirror images included."""
    found: dict[Way, str] = {}
    for fact in known:
        if fact.kind == "fewer" and fact.winner is Side.HUNTER:
            found[fact.files] = found[mirror_files(fact.files)] = fact.by.name
    return found


def proving_certificate(way: Way, direct: dict[Way, str]) -> str | None:
    """What proves a way for the hunter: its own certificate, or that of a way with more buffaloes."""
    if way in direct:
        return direct[way]
    return next((by for fewer, by in direct.items() if fewer < way), None)


def _ladder(known: Sequence[Fact]) -> str:
    direct = hunter_ways(known)
    lines = [
        "## The ladder, rung by rung\n",
        "A [rung](rules/buffalo.md) above 0 takes buffaloes away, and the buffalo side chooses which; the hunter",
        "wins the rung by winning every way. A rung below 0 lets several buffaloes step before the hunter's first",
        "move; the buffalo side wins the rung when it wins one opening. An extra buffalo never hurts its side",
        "([why](certificates.md#fewer-buffaloes)), so the ways with fewer buffaloes follow from those with more.\n",
        "| rung | handicap | proven | verdict |",
        "|---:|---|---|---|",
    ]
    for rung in range(10, 0, -1):
        all_ways = ways(rung)
        done = [way for way in all_ways if proving_certificate(way, direct)]
        verdict = "**the hunter wins**" if len(done) == len(all_ways) else "open"
        text = f"{WIDTH - rung} buffaloes" if rung < WIDTH - 1 else "1 buffalo"
        lines.append(
            f"| {rung} | {text} | hunter: {len(done)} of {len(all_ways)} ways | {verdict} |"
        )
    start = next((f.winner for f in known if f.kind == "fewer" and not f.files), None)
    lines.append(
        f"| 0 | none: the game itself | | {'open' if start is None else f'**{start} wins**'} |"
    )
    for rung in range(-1, -WIDTH, -1):
        steps = 1 - rung
        lines.append(f"| −{-rung} | {steps} buffaloes step first | {_opening_row(known, steps)} |")
    return "\n".join(lines) + "\n"


def _opening_row(known: Sequence[Fact], steps: int) -> str:
    here = [fact for fact in known if fact.kind == "opening" and len(fact.files) == steps]
    buffalo = [fact for fact in here if fact.winner is Side.BUFFALO]
    hunter = {
        min(sorted(f.files), sorted(mirror_files(f.files)))[0]
        for f in here
        if f.winner is Side.HUNTER
    }
    total = len(ways(steps))
    if buffalo:
        names = ", ".join(_shown(fact.files) for fact in buffalo)
        return f"buffaloes: {names} | **the buffalo side wins**"
    if len(here) == total:
        return f"hunter: all {total} openings | **the hunter wins**"
    return (f"hunter: {len(here)} of {total} openings" if hunter else "") + " | open"


def _boards(known: Sequence[Fact]) -> str:
    lines = [
        "## Narrow boards\n",
        "The same game on fewer columns: a buffalo in each, chief and four dogs side by side in the middle.\n",
        "| columns | winner | certificate |",
        "|---:|---|---|",
    ]
    for width in range(5, WIDTH):
        here = [fact for fact in known if fact.kind == "board" and fact.width == width]
        winner, by = (str(here[0].winner), f"`{here[0].by.name}`") if here else ("open", "")
        lines.append(f"| {width} | {winner} | {by} |")
    return "\n".join(lines) + "\n"


def _fewer(known: Sequence[Fact]) -> str:
    direct = hunter_ways(known)
    lines = [
        "## Fewer buffaloes\n",
        "By the files without a buffalo. Where a certificate covers a way with more buffaloes, the ways that",
        "follow from it aren't listed.\n",
        "| buffaloes | files without one | winner | certificate |",
        "|---:|---|---|---|",
    ]
    for count in range(1, WIDTH):
        open_ways = []
        for way in ways(count):
            if way in direct and not any(fewer < way for fewer in direct):
                lines.append(f"| {WIDTH - count} | {_shown(way)} | the hunter | `{direct[way]}` |")
            elif proving_certificate(way, direct) is None:
                open_ways.append(_shown(way))
        if open_ways:
            lines.append(f"| {WIDTH - count} | {'; '.join(open_ways)} | open | |")
    return "\n".join(lines) + "\n"


def _openings(known: Sequence[Fact]) -> str:
    lines = [
        "## First moves and openings\n",
        "All eleven buffaloes, the hunter at home and to move, by the files whose buffalo has stepped to rank 6. One",
        "step is an ordinary first move (f is the middle); more are the opening turns of rungs below 0.\n",
        "| stepped | winner | certificate |",
        "|---|---|---|",
    ]
    here = [fact for fact in known if fact.kind == "opening"]
    first = {_shown(fact.files): fact for fact in here} | {
        _shown(mirror_files(f.files)): f for f in here
    }
    for way in ways(1):
        fact = first.get(_shown(way))
        lines.append(
            f"| {_shown(way)} | open | |"
            if fact is None
            else f"| {_shown(way)} | {fact.winner} | `{fact.by.name}` |"
        )
    lines += [
        f"| {_shown(fact.files)} | {fact.winner} | `{fact.by.name}` |"
        for fact in sorted(here, key=lambda f: (len(f.files), sorted(f.files)))
        if len(fact.files) > 1
    ]
    return "\n".join(lines) + "\n"


def _others(known: Sequence[Fact]) -> str:
    here = [fact for fact in known if fact.kind == "position"]
    if not here:
        return ""
    lines = ["## Other positions\n", "| position | winner | certificate |", "|---|---|---|"]
    lines += [
        f"| `{narrow_fen(fact.position, fact.width)}` | {fact.winner} | `{fact.by.name}` |"
        for fact in here
    ]
    return "\n".join(lines) + "\n"


def _files(found: Sequence[VerifiedCertificate]) -> str:
    lines = [
        "## The certificates\n",
        "They ship with the package. Seconds are those of one run with two threads on a virtual machine with two cores",
        "that had other work, too; rebuilding the tablebases takes nearly all of it. A tablebase that several",
        "certificates use is counted for each, and built once when they are checked together:\n",
        "<!-- not run: takes minutes -->",
        "```console",
        "$ stampede solve results",
        "```\n",
        "| certificate | title | claims | answers | tablebases | bytes | seconds |",
        "|---|---|---:|---:|---|---:|---:|",
    ]
    for proof in found:
        header = proof.header
        tablebases = ", ".join(f"`{tablebase}`" for tablebase in header.tablebase_names) or "none"
        lines.append(
            f"| `{proof.name}` | {header.title} | {len(header.claims)} | {header.positions:,} "
            f"| {tablebases} | {proof.size:,} | {proof.seconds} |"
        )
    return "\n".join(lines) + "\n"
