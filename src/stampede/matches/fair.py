r"""The fair deal: the server commits to a game's chance before anyone sits down, and anyone can check it afterwards.

A table has one secret of 32 bytes that is never shown. Each of its games has a seed and a nonce of 32 bytes each, made
from that secret by HMAC-SHA-256, so showing those of one game tells nothing of the next. The scheme,
``stampede-deal/1``, where ``+`` joins bytes and ``\0`` is a zero byte:

- *commitment* = SHA-256("stampede-deal/1\0commit\0" + seed + nonce), shown from the moment when the table opens.
- *salts*: each player may add a text of their own when they sit down. They are shown, too. The server has committed
  before it knows them, and a player who adds one doesn't know the seed: so neither can steer the deal.
- *generator* = Python's ``random.Random(n)``, n being the big-endian number of
  SHA-256("stampede-deal/1\0draw\0" + seed + SHA-256(salt of player 0) + SHA-256(salt of player 1) …).
- The deal is what the game's ``draw_for`` makes with this generator, the game's rule set and the seats' colours.

Seed and nonce are shown when the game is over. `verify_deal` does all of it again.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from dataclasses import dataclass, field
from typing import Final, Literal

from stampede.core.errors import InputError, RecordError, StampedeError
from stampede.core.events import JsonFields
from stampede.core.game import AnyGame
from stampede.core.json import JsonObject, canonical, expect_list, expect_object, expect_str
from stampede.core.playthrough import Playthrough
from stampede.core.record import GameRecord
from stampede.core.replay import replay

__all__ = [
    "SCHEME",
    "DealCommitment",
    "DealProof",
    "DealReveal",
    "UnprovenDeal",
    "commitment_of",
    "derived",
    "proof_of",
    "verify_deal",
]

SCHEME: Final = "stampede-deal/1"
_DOMAIN: Final = SCHEME.encode() + b"\0"
BYTES: Final = 32


class UnprovenDeal(RecordError):
    """A record without the proof of a deal, such as a simulated game: neither fair nor unfair."""


@dataclass(frozen=True, slots=True)
class DealCommitment(JsonFields):
    """What everyone may know of a game's chance while it runs.

    Attributes:
        scheme: How seed, commitment and deal belong together.
        commitment: The commitment to seed and nonce, in hexadecimal digits.
        salts: The players' own contributions.
    """

    scheme: Literal["stampede-deal/1"] = field(default=SCHEME, kw_only=True)
    commitment: str
    salts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealReveal(DealCommitment):
    """What everyone may know of a game's chance when it is over.

    Attributes:
        seed: The seed, in hexadecimal digits.
        nonce: The nonce, in hexadecimal digits.
    """

    seed: str
    nonce: str


@dataclass(frozen=True, slots=True)
class DealProof:
    """What decides a game's chance. Secret until the game is over, except for the commitment and the salts."""

    seed: bytes
    nonce: bytes
    salts: tuple[str, ...] = ()

    @property
    def commitment(self) -> str:
        """The hash that is public from the start."""
        return commitment_of(self.seed, self.nonce)

    def generator(self) -> random.Random:
        """The generator that makes the deal."""
        salts = b"".join(hashlib.sha256(salt.encode()).digest() for salt in self.salts)
        digest = hashlib.sha256(_DOMAIN + b"draw\0" + self.seed + salts).digest()
        return random.Random(int.from_bytes(digest, "big"))

    def public(self) -> JsonObject:
        """What may be seen while the game runs."""
        return DealCommitment(self.commitment, self.salts).to_json()

    def revealed(self) -> JsonObject:
        """What is shown when the game is over."""
        shown = DealReveal(self.commitment, self.salts, self.seed.hex(), self.nonce.hex())
        return shown.to_json()


def commitment_of(seed: bytes, nonce: bytes) -> str:
    """The commitment to a seed and a nonce, in hexadecimal digits."""
    return hashlib.sha256(_DOMAIN + b"commit\0" + seed + nonce).hexdigest()


def derived(secret: str, *labels: str | int) -> bytes:
    """Derives 32 bytes from the secret, different for every list of labels."""
    message = _DOMAIN + canonical(list(labels)).encode()
    return hmac.new(bytes.fromhex(secret), message, "sha256").digest()


def proof_of(secret: str, table: str, number: int, salts: tuple[str, ...]) -> DealProof:
    """Seed and nonce of a table's n-th game."""
    return DealProof(
        derived(secret, "seed", table, number), derived(secret, "nonce", table, number), salts
    )


def verify_deal(game: AnyGame, record: GameRecord, commitment: str | None = None) -> None:
    """Checks that a record's deal is the one that was committed to, and nothing else.

    Args:
        game: The record's game.
        record: A finished game from a table; its ``meta.deal`` holds the proof.
        commitment: The commitment that was shown at the table; without it the record's own is trusted.

    Raises:
        UnprovenDeal: The record has no proof: it isn't of a table, or the game isn't over.
        RecordError: It isn't; the message says what differs.
    """
    try:
        proof, told = _read_proof(record)
    except RecordError:
        raise
    except InputError as error:
        raise RecordError(str(error)) from error
    if proof.commitment != told:
        raise RecordError(f"meta.deal.commitment: expected {proof.commitment}, got {told}")
    if commitment is not None and commitment.lower() != told:
        raise RecordError(f"meta.deal.commitment: expected {commitment}, got {told}")
    _verify_play(game, record, proof)


def _read_proof(record: GameRecord) -> tuple[DealProof, str]:
    if "deal" not in record.meta:
        raise UnprovenDeal("meta.deal: expected the proof of a table's deal, got none")
    data = expect_object(record.meta["deal"], "meta.deal")
    if data.get("scheme") != SCHEME:
        got = canonical(data.get("scheme"))[:80]
        raise RecordError(f'meta.deal.scheme: expected "{SCHEME}", got {got}')
    seed, nonce = (_read_bytes(data, key) for key in ("seed", "nonce"))
    if len(seed) != BYTES or len(nonce) != BYTES:
        raise RecordError(f"meta.deal: expected a seed and a nonce of {BYTES} bytes")
    where = "meta.deal.salts"
    salts = tuple(expect_str(salt, where) for salt in expect_list(data.get("salts"), where))
    return DealProof(seed, nonce, salts), expect_str(data.get("commitment"), "meta.deal.commitment")


def _read_bytes(data: JsonObject, key: str) -> bytes:
    text = expect_str(data.get(key), f"meta.deal.{key}")
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise RecordError(
            f"meta.deal.{key}: expected hexadecimal digits, got {text[:80]!r}"
        ) from None


def _verify_play(game: AnyGame, record: GameRecord, proof: DealProof) -> None:
    """Plays the record's decisions on a deal made from the seed: all that chance decides must come out the same."""
    played = replay(game, record)
    try:
        asked = game.colours_asked(played.rules, record)
        deal = game.draw_for(played.rules, proof.generator(), asked)
        anew = Playthrough(game, played.rules, deal)
        for key, value in game.write_setup(anew.start).items():
            if record.setup.get(key) != value:
                raise RecordError(f"{key}: expected {canonical(value)} from the seed")
        for turn in played.turns:
            anew.play(turn.seat, turn.action)
    except RecordError:
        raise
    except StampedeError as error:
        raise RecordError(f"the deal made anew from the seed leads elsewhere: {error}") from error
    if anew.steps() != played.steps():
        raise RecordError("the deal made anew from the seed leads elsewhere")
