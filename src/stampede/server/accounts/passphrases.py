"""Passphrases (argon2id) and recovery codes. Hashing runs in threads of its own, so that it blocks no one else."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from stampede.core.errors import InputError
from stampede.server.accounts.names import fold_name
from stampede.server.http.problems import Problem
from stampede.server.runtime import STANDARD_COST, HashingCost

__all__ = ["Passphrases", "check_passphrase", "digest_code", "new_codes"]

T = TypeVar("T")
MIN_LENGTH: Final = 10
MAX_LENGTH: Final = 200
CODES: Final = 8
SALT_BYTES: Final = 16
CODE_BYTES: Final = 10
"""80 random bits can't be guessed, so a plain digest is enough."""
THREADS: Final = 2
"""Each needs `HashingCost.memory_kib` while it works."""
MAX_WAITING: Final = 40


class Passphrases:
    """Hashes and verifies passphrases.

    Args:
        max_waiting: How many requests may wait; more are refused.
        entropy: Returns random bytes, for salts.
        cost: What a hash costs.
    """

    def __init__(
        self,
        max_waiting: int = MAX_WAITING,
        *,
        entropy: Callable[[int], bytes] = os.urandom,
        cost: HashingCost = STANDARD_COST,
    ) -> None:
        self._entropy = entropy
        self._max_waiting = max_waiting
        self._hasher = PasswordHasher(
            time_cost=cost.rounds, memory_cost=cost.memory_kib, parallelism=1
        )
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stampede-passphrase")
        self._waiting = 0
        self._dummy = self._hash(entropy(16).hex())

    async def hash(self, passphrase: str) -> str:
        """Returns the hash, with its parameters and salt."""
        return await self._run(lambda: self._hash(_normalise(passphrase)))

    async def verify(self, hashed: str | None, passphrase: str) -> bool:
        """Whether it is the right passphrase. Without a hash it isn't, but that takes as long to find out."""
        right = await self._run(lambda: self._verify(hashed or self._dummy, passphrase))
        return right and hashed is not None

    def is_outdated(self, hashed: str) -> bool:
        """Whether a hash has weaker parameters than new ones."""
        return self._hasher.check_needs_rehash(hashed)

    async def close(self) -> None:
        """Stops the threads."""
        await asyncio.to_thread(self._threads.shutdown)

    def _hash(self, passphrase: str) -> str:
        return self._hasher.hash(passphrase, salt=self._entropy(SALT_BYTES))

    def _verify(self, hashed: str, passphrase: str) -> bool:
        try:
            return self._hasher.verify(hashed, _normalise(passphrase))
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= self._max_waiting:
            raise Problem(503, "busy", "too many people sign in at once; try again", None, 2)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _normalise(passphrase: str) -> str:
    """Returns the same text however the keyboard composes its letters."""
    return unicodedata.normalize("NFKC", passphrase)


def check_passphrase(passphrase: str, name: str) -> str:
    """Returns the passphrase; raises InputError, which doesn't repeat it, if it is too weak."""
    if not MIN_LENGTH <= len(passphrase) <= MAX_LENGTH:
        raise InputError(
            f"passphrase: expected {MIN_LENGTH} to {MAX_LENGTH} characters, got {len(passphrase)}"
        )
    if len(set(passphrase)) < 4 or fold_name(passphrase) == fold_name(name):
        raise InputError("passphrase: expected something that is harder to guess")
    return passphrase


def new_codes(entropy: Callable[[int], bytes] = os.urandom) -> list[str]:
    """Returns new recovery codes, to be shown once: four groups of four letters and digits."""
    return [_format_code(entropy(CODE_BYTES)) for _ in range(CODES)]


def _format_code(data: bytes) -> str:
    text = base64.b32encode(data).decode().lower()
    return "-".join(text[index : index + 4] for index in range(0, len(text), 4))


def digest_code(account_id: str, code: str) -> str:
    """Returns a code's digest, the only form in which it is stored; spaces, dashes and case don't matter."""
    plain = "".join(letter for letter in code.lower() if letter.isalnum())
    return hashlib.sha256(f"stampede-code/1\0{account_id}\0{plain}".encode()).hexdigest()
