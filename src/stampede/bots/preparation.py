"""What bots need before they can answer: compiled kernels, or nothing at all.

The low levels play in plain Python. The others need kernels, which are compiled once on a machine and loaded from a
cache afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from stampede.core.bot import Bot

if TYPE_CHECKING:
    from stampede.kernels.warmup import Task

__all__ = ["is_light", "knows_answer", "needs_compiled_code", "prepare", "tasks_of"]


def needs_compiled_code(bot: Bot | None) -> bool:
    """Whether a bot can't answer before its game's kernels are compiled."""
    return bool(getattr(bot, "needs_compiled_code", False))


def is_light(bot: Bot | None) -> bool:
    """Whether a bot that needs kernels thinks so little that plain Python will do: a second or two a move."""
    return bool(getattr(bot, "is_light", False))


def knows_answer(bot: Bot | None, view: object) -> bool:
    """Whether a bot that needs kernels answers this view without them: it knows the move by heart."""
    knows = getattr(bot, "knows_answer", None)
    return callable(knows) and bool(knows(view))


def tasks_of(game: str) -> tuple[Task, ...]:
    """What is compiled for a game's bots and analysis; nothing for a game without kernels."""
    return _TASKS[game]() if game in _TASKS else ()


def prepare(game: str) -> None:
    """Loads a game's kernels into this process, and compiles those that the cache doesn't have."""
    for task in tasks_of(game):
        task.run()


def _buffalo() -> tuple[Task, ...]:
    from stampede.search.buffalo.warmup import search_tasks  # noqa: PLC0415 - loads compiled code

    return search_tasks()


def _zoff() -> tuple[Task, ...]:
    from stampede.search.zoff.warmup import zoff_tasks  # noqa: PLC0415 - loads compiled code

    return zoff_tasks()


_TASKS: Final[Mapping[str, Callable[[], tuple[Task, ...]]]] = {"buffalo": _buffalo, "zoff": _zoff}
