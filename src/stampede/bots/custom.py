"""Bots from outside the package: ``module:Class``, or an entry point of the group ``stampede.bots``."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final, cast

from stampede.core.bot import Bot
from stampede.core.errors import InputError

__all__ = ["GROUP", "installed_bots", "load_bot"]

GROUP: Final = "stampede.bots"
"""The entry-point group in which packages register bots: a name, and ``module:Class``."""


def installed_bots() -> dict[str, EntryPoint]:
    """Returns the bots that installed packages register, by name."""
    found: Iterable[EntryPoint] = entry_points(group=GROUP)
    return {entry.name: entry for entry in found}


def load_bot(path: str) -> Bot:
    """Makes the bot of a path such as ``my_bots:Greedy``: a class or function without arguments, or a bot.

    Raises:
        InputError: The path names no bot; the message says what is expected.
    """
    module_name, _, attributes = path.partition(":")
    try:
        found: object = import_module(module_name)
        for attribute in attributes.split("."):
            found = getattr(found, attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"bot: expected module:Class, got {path!r}: {error}") from error
    return _check_bot(path, _make(path, found))


def _make(path: str, found: object) -> object:
    if not callable(found):
        return found
    try:
        inspect.signature(found).bind()
    except (TypeError, ValueError) as error:
        raise InputError(f"bot: expected {path} to take no arguments: {error}") from error
    return found()


def _check_bot(path: str, made: object) -> Bot:
    choose, name = getattr(made, "choose", None), getattr(made, "name", None)
    if not callable(choose):
        raise InputError(
            f"bot: expected {path} to have a method choose(view, rng), but it has none"
        )
    try:
        inspect.signature(choose).bind("view", "rng")
    except TypeError as error:
        raise InputError(f"bot: expected {path} to have choose(view, rng): {error}") from error
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"bot: expected {path} to have a name, a text, got {name!r}")
    return cast("Bot", made)
