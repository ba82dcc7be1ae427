"""Reads and writes files: errors name the file, and a file appears complete or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from stampede.core.errors import InputError

__all__ = ["read_text", "whole_file"]

STDIN = Path("-")


def read_text(path: Path) -> str:
    """Reads a file's text; ``-`` is standard input. InputError if it isn't text."""
    try:
        return sys.stdin.read() if path == STDIN else path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected text in UTF-8, but {error}") from error


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Writes a file that appears under its name when it is complete, or not at all.

    The text goes to a hidden file in the same folder, which is renamed at the end. A pipe or a device is written
    directly.
    """
    if path.exists() and not path.is_file():
        with _named(path), path.open("w", encoding="utf-8") as stream:
            yield stream
        return
    target = path.resolve()  # keeps a symbolic link
    try:
        descriptor, name = tempfile.mkstemp(".part", f".{path.name}.", dir=target.parent)
    except OSError as error:  # name the caller's file, not the hidden one
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        # The descriptor is open already.
        with _named(path), open(descriptor, "w", encoding="utf-8") as stream:  # noqa: PTH123
            yield stream
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except BaseException:  # an interruption leaves nothing behind either
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Gives an error of the system the file's name, which a full disk doesn't tell."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _mode(target: Path) -> int:
    """Returns the permissions of the file, or those of a new one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
