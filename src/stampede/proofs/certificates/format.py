"""The format of a certificate: its claims, then the winner's answers in blocks, each with a checksum.

``docs/certificates.md`` describes the format for readers in other languages. Nothing here knows the rules, except how a
position is written; `stampede.proofs.certificates.check` decides whether the answers prove the claims.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
import numpy.typing as npt

from stampede.buffalo import Position, Side
from stampede.buffalo.geometry import FILES
from stampede.core.errors import InputError, ParseError
from stampede.core.json import (
    Json,
    JsonObject,
    canonical,
    expect_bool,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.proofs.certificates.endgame_solver import EndgameGame
from stampede.proofs.certificates.window_game import WindowSpec

__all__ = [
    "BLOCK",
    "CertificateBlock",
    "CertificateClaim",
    "CertificateFault",
    "CertificateHeader",
    "Recogniser",
    "decode_block",
    "encode_block",
    "read_blocks",
    "read_header",
]

MAGIC: Final = b"BUFFCERT"
LENGTHS: Final = struct.Struct("<II")
CHECKSUM: Final = struct.Struct("<I")
BLOCK: Final = 65536
"""The maximum number of positions in a block."""
PLANES: Final = 12
"""Bytes of one position: 8 of its key, 2 of the answer, 2 of the recogniser's number."""
LONGEST_HEADER: Final = 64 << 20
SMALLEST_WIDTH: Final = 5
MOST_RECOGNISERS: Final = 65535

Words = npt.NDArray[np.int64]


class CertificateFault(InputError):
    """A certificate is invalid; says where and why.

    Attributes:
        place: The place in the file, such as ``block 3, position 17``.
    """

    def __init__(self, place: str, problem: str) -> None:
        super().__init__(f"{place}: {problem}")
        self.place = place


@dataclass(frozen=True, slots=True)
class CertificateClaim:
    """A position that the certificate claims to be won.

    Attributes:
        position: The position, in files a to the board's last.
        by: For a hunter's win with the buffalo side to move: the number of the recogniser that decides the position,
            or 0 when all replies are in the file. For a win of the buffalo side with the hunter to move: the set of
            files whose buffaloes win by themselves, as bits, or 0.
    """

    position: Position
    by: int = 0


@dataclass(frozen=True, slots=True)
class Recogniser:
    """A tablebase laid over part of the board.

    Attributes:
        tablebase: The tablebase's index.
        column: The board's column, counted from 0, where the window begins.
        mirrored: Whether the tablebase is laid over the mirror image of these columns.
    """

    tablebase: int
    column: int
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class CertificateHeader:
    """The header of a certificate.

    Attributes:
        title: One line for people.
        width: The number of the board's columns, 5 to 11.
        winner: The side that wins.
        claims: The positions that it wins.
        tablebases: The specs of the tablebases that recognisers refer to.
        recognisers: What decides positions where no answers follow; counted from 1 by positions and claims.
        positions: The number of positions with an answer.
        blocks: The number of blocks.
        body: The SHA-256 of all blocks' bytes.
        endgame: The endgames that answers of the buffalo side may refer to; None when there are none.
    """

    title: str
    width: int
    winner: Side
    claims: tuple[CertificateClaim, ...]
    tablebases: tuple[WindowSpec, ...]
    recognisers: tuple[Recogniser, ...]
    positions: int
    blocks: int
    body: str
    endgame: EndgameGame | None = None

    @property
    def tablebase_names(self) -> tuple[str, ...]:
        """The texts of all tablebases that the certificate needs."""
        endgames = () if self.endgame is None else (str(self.endgame),)
        return (*(str(tablebase) for tablebase in self.tablebases), *endgames)

    def to_json(self) -> JsonObject:
        """The header as JSON."""
        endgame: JsonObject = {} if self.endgame is None else {"endgame": str(self.endgame)}
        return {
            **endgame,
            "blocks": self.blocks,
            "body": self.body,
            "claims": [
                {"by": claim.by, "position": narrow_fen(claim.position, self.width)}
                for claim in self.claims
            ],
            "format": "stampede-certificate",
            "positions": self.positions,
            "recognisers": [
                {"column": seen.column, "mirrored": seen.mirrored, "table": seen.tablebase}
                for seen in self.recognisers
            ],
            "tables": [str(tablebase) for tablebase in self.tablebases],
            "title": self.title,
            "version": 1,
            "width": self.width,
            "winner": self.winner.word,
        }


@dataclass(frozen=True, slots=True)
class CertificateBlock:
    """A block: its number and offset in the file, and int64 keys, moves and numbers of recognisers."""

    number: int
    offset: int
    keys: Words
    moves: Words
    by: Words


# --- narrow boards ---


def narrow_fen(position: Position, width: int) -> str:
    """The FEN on a board of so many columns: the first files of each rank."""
    if width == len(FILES):
        return position.fen()
    ranks, rest = position.fen().split(" ", 1)
    rows = [
        "".join("." * int(s) if s.isdigit() else s for s in _split_row(row))
        for row in ranks.split("/")
    ]
    return "/".join(_join_row(row[:width]) for row in rows) + " " + rest


def wide_position(text: str, width: int) -> Position:
    """Reads a FEN of a board with so many columns; the columns beyond stay empty."""
    if width == len(FILES):
        return Position.from_fen(text)
    ranks, space, rest = text.partition(" ")
    missing = len(FILES) - width
    # A number at the end of a rank would run together with the missing files: write empty squares one by one.
    rows = [
        "".join("1" * int(s) if s.isdigit() else s for s in _split_row(row))
        for row in ranks.split("/")
    ]
    return Position.from_fen(
        "/".join(_join_row((row + "1" * missing).replace("1", ".")) for row in rows) + space + rest
    )


def _split_row(row: str) -> list[str]:
    return re.findall("[0-9]{1,2}|.", row)


def _join_row(row: str) -> str:
    return re.sub(r"\.+", lambda run: str(len(run.group())), row)


# --- reading ---


def read_header(file: BinaryIO) -> CertificateHeader:
    """Reads a file's header; CertificateFault when it isn't a certificate, or is damaged."""
    magic = file.read(len(MAGIC))
    if magic != MAGIC:
        raise CertificateFault(
            "byte 0", f"expected a certificate, which begins {MAGIC!r}, got {magic!r}"
        )
    length, checksum = LENGTHS.unpack(_read_exactly(file, LENGTHS.size, "header"))
    if length > LONGEST_HEADER:
        raise CertificateFault("header", f"expected at most {LONGEST_HEADER} bytes, got {length}")
    data = _read_exactly(file, length, "header")
    if zlib.crc32(data) != checksum:
        raise CertificateFault("header", "damaged: its checksum is another")
    try:
        return _parse_header(json.loads(data.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        raise CertificateFault("header", str(error)) from error


def read_blocks(file: BinaryIO, header: CertificateHeader) -> Iterator[CertificateBlock]:
    """Reads the blocks after the header; CertificateFault at the first damaged one."""
    total = sha256()
    positions, last = 0, -1
    for number in range(header.blocks):
        offset = file.tell()
        place = f"block {number} at byte {offset}"
        head = _read_exactly(file, LENGTHS.size, place)
        count, length = LENGTHS.unpack(head)
        if not 1 <= count <= BLOCK or length > PLANES * BLOCK + 1024:
            raise CertificateFault(place, f"damaged: {count} positions in {length} bytes")
        tail = _read_exactly(file, CHECKSUM.size, place)
        data = _read_exactly(file, length, place)
        total.update(head + tail + data)
        if zlib.crc32(head + data) != CHECKSUM.unpack(tail)[0]:
            raise CertificateFault(place, "damaged: its checksum is another")
        block = decode_block(_inflate(data, count, place), number, offset)
        if block.keys[0] <= last or (np.diff(block.keys) <= 0).any():
            raise CertificateFault(place, "expected positions in ascending order, got others")
        last = int(block.keys[-1])
        positions += count
        yield block
    if file.read(1):
        raise CertificateFault(
            "end", f"expected nothing after block {header.blocks - 1}, got more bytes"
        )
    if positions != header.positions:
        raise CertificateFault("end", f"expected {header.positions} positions, got {positions}")
    if total.hexdigest() != header.body:
        raise CertificateFault("end", "damaged: the checksum of all blocks is another")


def encode_block(keys: Words, moves: Words, by: Words) -> bytes:
    """Encodes a block: ascending keys, moves and numbers of recognisers."""
    deltas = np.diff(keys, prepend=np.int64(0)).astype("<u8")
    parts = (deltas, moves.astype("<u2"), by.astype("<u2"))
    planes = np.concatenate([part.view(np.uint8).reshape(len(keys), -1).T for part in parts])
    data = zlib.compress(planes.tobytes(), 9)
    head = LENGTHS.pack(len(keys), len(data))
    return head + CHECKSUM.pack(zlib.crc32(head + data)) + data


def decode_block(data: bytes, number: int, offset: int) -> CertificateBlock:
    """Decodes a block from uncompressed bytes: the reverse of `encode_block`."""
    planes = np.frombuffer(data, dtype=np.uint8).reshape(PLANES, -1)
    deltas = np.ascontiguousarray(planes[:8].T).view("<i8").reshape(-1)
    moves = np.ascontiguousarray(planes[8:10].T).view("<u2").reshape(-1)
    by = np.ascontiguousarray(planes[10:].T).view("<u2").reshape(-1)
    keys: Words = np.cumsum(deltas, dtype=np.int64)
    return CertificateBlock(number, offset, keys, moves.astype(np.int64), by.astype(np.int64))


def _inflate(data: bytes, count: int, place: str) -> bytes:
    size = PLANES * count
    inflater = zlib.decompressobj()
    try:
        found = inflater.decompress(data, size + 1)
    except zlib.error as error:
        raise CertificateFault(place, f"damaged: {error}") from error
    if len(found) != size or not inflater.eof or inflater.unused_data:
        raise CertificateFault(place, f"damaged: expected {size} bytes when unpacked, got others")
    return found


def _read_exactly(file: BinaryIO, size: int, place: str) -> bytes:
    data = file.read(size)
    if len(data) != size:
        raise CertificateFault(place, f"cut off: expected {size} more bytes, got {len(data)}")
    return data


# --- the header ---


def _parse_header(data: Json) -> CertificateHeader:
    values = expect_object(data, "header")
    if (values.get("format"), values.get("version")) != ("stampede-certificate", 1):
        raise InputError("expected format stampede-certificate, version 1, got another")
    width = expect_int(values.get("width"), "width")
    if not SMALLEST_WIDTH <= width <= len(FILES):
        raise InputError(f"width: expected {SMALLEST_WIDTH} to {len(FILES)}, got {width}")
    winners = {side.word: side for side in Side}
    winner = expect_str(values.get("winner"), "winner")
    if winner not in winners:
        raise InputError(f"winner: expected buffalo or hunter, got {winner!r}")
    header = CertificateHeader(
        title=expect_str(values.get("title"), "title"),
        width=width,
        winner=winners[winner],
        claims=tuple(_parse_claim(c, width) for c in expect_list(values.get("claims"), "claims")),
        tablebases=tuple(
            WindowSpec.parse(expect_str(spec, "tables"))
            for spec in expect_list(values.get("tables"), "tables")
        ),
        recognisers=tuple(
            _parse_recogniser(r) for r in expect_list(values.get("recognisers"), "recognisers")
        ),
        positions=expect_int(values.get("positions"), "positions"),
        blocks=expect_int(values.get("blocks"), "blocks"),
        body=expect_str(values.get("body"), "body"),
        endgame=(
            EndgameGame.parse(expect_str(values["endgame"], "endgame"))
            if "endgame" in values
            else None
        ),
    )
    check_header(header)
    if canonical(header.to_json()) != canonical(values):
        raise InputError("expected a header in canonical form, got another")
    return header


def check_header(header: CertificateHeader) -> None:
    """Checks that the header's parts fit together; InputError when they don't."""
    if not header.claims:
        raise InputError("claims: expected at least one, got none")
    if min(header.positions, header.blocks) < 0:
        raise InputError(f"expected counts from 0, got {header.positions}, {header.blocks}")
    if len(header.recognisers) > MOST_RECOGNISERS:
        raise InputError(f"recognisers: expected at most {MOST_RECOGNISERS}")
    for number, seen in enumerate(header.recognisers, start=1):
        if not 0 <= seen.tablebase < len(header.tablebases):
            raise InputError(f"recogniser {number}: there is no tablebase {seen.tablebase}")
        if not 0 <= seen.column <= header.width - header.tablebases[seen.tablebase].columns:
            raise InputError(f"recogniser {number}: its window leaves the board")
    if header.endgame is not None and (header.winner, header.endgame.columns) != (
        Side.BUFFALO,
        header.width,
    ):
        raise InputError(
            f"endgame: expected the buffalo side as winner and {header.width} columns,"
            f" got {header.winner} and {header.endgame}"
        )
    numbers = len(header.recognisers) if header.endgame is None else (1 << header.width) - 1
    for claim in header.claims:
        if not 0 <= claim.by <= numbers:
            raise InputError(f"claims: there is no recogniser {claim.by}")


def _parse_claim(data: Json, width: int) -> CertificateClaim:
    values = expect_object(data, "claims")
    position = wide_position(expect_str(values.get("position"), "claims: position"), width)
    if any(square.file >= width for square in position.pieces):
        raise ParseError(f"claims: expected pieces on {width} files, got {position.fen()}")
    return CertificateClaim(position, expect_int(values.get("by"), "claims: by"))


def _parse_recogniser(data: Json) -> Recogniser:
    values = expect_object(data, "recognisers")
    return Recogniser(
        expect_int(values.get("table"), "recognisers: table"),
        expect_int(values.get("column"), "recognisers: column"),
        expect_bool(values.get("mirrored"), "recognisers: mirrored"),
    )


def header_bytes(header: CertificateHeader) -> bytes:
    """The bytes before the first block."""
    data = canonical(header.to_json()).encode("utf-8")
    return MAGIC + LENGTHS.pack(len(data), zlib.crc32(data)) + data


def open_certificate(path: Path) -> tuple[CertificateHeader, int]:
    """Reads a file's header and its size in bytes."""
    with path.open("rb") as file:
        return read_header(file), path.stat().st_size
