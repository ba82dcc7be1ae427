"""Passphrases (argon2id) and recovery codes. Hashing runs in threads of its own, so that nobody else waits for it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from stampede.core.errors import InputError
from stampede.server.accounts.names import folded
from stampede.server.http.problems import Problem

__all__ = ["Passphrases", "checked_passphrase", "code_digest", "new_codes"]

T = TypeVar("T")
SHORTEST: Final = 10
LONGEST: Final = 200
CODES: Final = 8
CODE_BYTES: Final = 10
"""80 random bits: nobody guesses one, so a plain digest is enough."""
THREADS: Final = 2
"""Each holds MEMORY while it works."""
MEMORY_KIB: Final = 46 * 1024
MOST_WAITING: Final = 40


class Passphrases:
    """Hashes and checks passphrases.

    Args:
        waiting: More than so many at once are asked to come back.
    """

    def __init__(self, waiting: int = MOST_WAITING) -> None:
        self._most = waiting
        self._hasher = PasswordHasher(time_cost=2, memory_cost=MEMORY_KIB, parallelism=1)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stampede-passphrase")
        self._waiting = 0
        self._nobody = self._hasher.hash(secrets.token_hex(16))

    async def hash(self, passphrase: str) -> str:
        """The hash to keep: parameters and salt are in it."""
        return await self._run(lambda: self._hasher.hash(_usual(passphrase)))

    async def fits(self, hashed: str | None, passphrase: str) -> bool:
        """Whether it is the right passphrase. Without a hash it isn't, but takes as long to find out."""
        right = await self._run(lambda: self._verify(hashed or self._nobody, passphrase))
        return right and hashed is not None

    def is_outdated(self, hashed: str) -> bool:
        """Whether it was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(hashed)

    async def close(self) -> None:
        """Lets the threads go."""
        await asyncio.to_thread(self._threads.shutdown)

    def _verify(self, hashed: str, passphrase: str) -> bool:
        try:
            return self._hasher.verify(hashed, _usual(passphrase))
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= self._most:
            raise Problem(503, "busy", "too many people sign in at once; try again", None, 2)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _usual(passphrase: str) -> str:
    """The same text, however the keyboard composes its letters."""
    return unicodedata.normalize("NFKC", passphrase)


def checked_passphrase(passphrase: str, name: str) -> str:
    """A passphrase that can be taken; InputError, which doesn't repeat it, when it can't."""
    if not SHORTEST <= len(passphrase) <= LONGEST:
        raise InputError(
            f"passphrase: expected {SHORTEST} to {LONGEST} characters, got {len(passphrase)}"
        )
    if len(set(passphrase)) < 4 or folded(passphrase) == folded(name):
        raise InputError("passphrase: expected something that is harder to guess")
    return passphrase


def new_codes() -> list[str]:
    """Fresh recovery codes, to be shown once: four groups of four letters and digits."""
    return [_grouped(secrets.token_bytes(CODE_BYTES)) for _ in range(CODES)]


def _grouped(data: bytes) -> str:
    text = base64.b32encode(data).decode().lower()
    return "-".join(text[index : index + 4] for index in range(0, len(text), 4))


def code_digest(account_id: str, code: str) -> str:
    """A code's digest, the only form in which it is kept; spaces, dashes and case don't matter."""
    plain = "".join(letter for letter in code.lower() if letter.isalnum())
    return hashlib.sha256(f"stampede-code/1\0{account_id}\0{plain}".encode()).hexdigest()
