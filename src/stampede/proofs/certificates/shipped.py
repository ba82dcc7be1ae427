"""The certificates that come with the package, and the note of when they were last verified.

The note (``verified.json``) says of each file its SHA-256 and how long checking took. `stampede solve results --note`
writes it after checking everything; a file whose bytes are others than noted doesn't count as verified.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import JsonObject, expect_int, expect_object
from stampede.proofs.certificates.format import CertificateHeader, open_certificate
from stampede.proofs.certificates.verify import Verdict

__all__ = [
    "NOTE",
    "SHIPPED",
    "Proven",
    "certificate_path",
    "not_noted",
    "note_of",
    "proven",
    "read_note",
    "shipped_files",
]

SHIPPED: Final = Path(__file__).with_name("shipped")
NOTE: Final = "verified.json"
SUFFIX: Final = ".cert"


@dataclass(frozen=True, slots=True)
class Proven:
    """A certificate that was verified.

    Attributes:
        name: The file's name without its suffix.
        header: What it says.
        size: The file's bytes.
        seconds: How long the check took, its tables included.
    """

    name: str
    header: CertificateHeader
    size: int
    seconds: int


def shipped_files(folder: Path = SHIPPED) -> list[Path]:
    """The certificates of a folder, by name."""
    return sorted(folder.glob(f"*{SUFFIX}"))


def certificate_path(text: str) -> Path:
    """The file with this path, or the shipped certificate with this name."""
    path = Path(text)
    shipped = SHIPPED / (text.removesuffix(SUFFIX) + SUFFIX)
    if not path.exists() and path.name == text and shipped.exists():
        return shipped
    return path


def read_note(folder: Path = SHIPPED) -> JsonObject:
    """A folder's note; empty when there is none."""
    path = folder / NOTE
    return expect_object(json.loads(path.read_text("utf-8")), NOTE) if path.exists() else {}


def not_noted(folder: Path = SHIPPED) -> list[Path]:
    """The certificates of a folder that aren't in its note as they are."""
    note = read_note(folder)
    return [path for path in shipped_files(folder) if not _is_noted(path, note)]


def _is_noted(path: Path, note: JsonObject) -> bool:
    about = note.get(path.name)
    found = sha256(path.read_bytes()).hexdigest()
    return about is not None and expect_object(about, NOTE).get("sha256") == found


def note_of(verdicts: Sequence[Verdict]) -> JsonObject:
    """The note about files that were just checked; only those without a fault are in it."""
    return {
        verdict.path.name: {
            "seconds": round(verdict.seconds + sum(table.seconds for table in verdict.tables)),
            "sha256": sha256(verdict.path.read_bytes()).hexdigest(),
        }
        for verdict in sorted(verdicts, key=lambda verdict: verdict.path.name)
        if verdict.fault is None
    }


def proven(folder: Path = SHIPPED) -> list[Proven]:
    """The certificates of a folder that its note calls verified; InputError when one isn't.

    This trusts the note, not the proofs: `verify` checks these.
    """
    note = read_note(folder)
    found = []
    for path in shipped_files(folder):
        if not _is_noted(path, note):
            raise InputError(f"{path.name}: expected the file that was verified, got another")
        about = expect_object(note[path.name], NOTE)
        header, size = open_certificate(path)
        found.append(Proven(path.stem, header, size, expect_int(about.get("seconds"), "seconds")))
    return found
