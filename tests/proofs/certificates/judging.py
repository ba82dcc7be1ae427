"""What tests of certificates share: small true claims, both checks of a file, and mirror images on narrow boards."""

import re
from pathlib import Path

from stampede.buffalo import Move, Position
from stampede.proofs.certificates import CertificateFault, Verdict, verify
from stampede.proofs.certificates.format import narrow_fen, wide_position

HUNTER_WINS = {
    "five columns": (5, "bb3/5/5/5/1D1D1/1DCD1/5 b - - 0 1"),
    "four buffaloes": (5, "5/1bb2/5/b2b1/1D1D1/1DCD1/5 b - - 0 1"),
    "the real board": (11, "11/11/b9b/11/11/3DDCDD3/11 w - - 0 1"),
    "all are blocked": (6, "6/bb4/DDDDC1/6/6/6/6 b - - 0 1"),
}
BUFFALO_WINS = {
    "buffalo side to move": (6, "6/4DC/6/bb2DD/5D/6/6 b - - 0 1"),
    "hunter to move": (6, "6/4DC/6/1b2DD/b4D/6/6 w - - 0 1"),
    "the real board": (11, "11/9DC/11/1b7DD/b9D/11/11 b - - 0 1"),
}
TABLES = ("5/abcde/3/2abcde+3abcde/3",)


def judged(path: Path, every: int | None = None) -> Verdict:
    return verify([path], workers=2, every=every)[0]


def refused(path: Path) -> CertificateFault:
    """What is wrong with a file; both checks must say that it is, and at the same place."""
    fault, slow_fault = judged(path).fault, judged(path, every=1).fault
    assert fault is not None
    assert slow_fault is not None
    assert fault.place == slow_fault.place
    return fault


def narrow_mirror(position: Position, width: int) -> Position:
    ranks, rest = narrow_fen(position, width).split(" ", 1)
    rows = [re.sub("[0-9]+", lambda n: "." * int(n.group()), row) for row in ranks.split("/")]
    turned = [re.sub(r"\.+", lambda run: str(len(run.group())), row[::-1]) for row in rows]
    return wide_position("/".join(turned) + " " + rest, width)


def narrow_mirror_move(move: Move, width: int) -> Move:
    def turned(name: str) -> str:
        return chr(ord("a") + width - 1 - ord(name[0]) + ord("a")) + name[1]

    text = str(move)
    return Move.parse(turned(text[:2]) + turned(text[2:]))
