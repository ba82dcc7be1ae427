"""What a lesson is, and how its file is read (docs/lessons.md).

A lesson has a few steps. Each step has a position, a task, and the answers that solve it, told by what an answer leads
to: by predicates on the events of the rules. Texts aren't here: clients have them by the lesson's name and the step's
number.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from stampede.core.errors import InputError
from stampede.core.json import Json, JsonObject, expect_list, expect_object, expect_str

__all__ = ["Lesson", "LessonRemark", "LessonStep", "all_lessons", "lesson_named", "read_lesson"]

MOST_STEPS: Final = 6
PACKAGE: Final = "stampede.lessons"


@dataclass(frozen=True, slots=True)
class LessonRemark:
    """What to say about some of the wrong answers.

    Attributes:
        text: The name of the text, beside the step's other texts.
        when: The predicates, all of which must hold.
    """

    text: str
    when: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One task.

    Attributes:
        position: Where it begins, as the game's own `stage` reads it.
        accept: The answers that solve it, as alternatives: of one of them every predicate must hold.
        remarks: What to say about wrong answers; the first one that fits.
        clause: The rule that the step is about.
    """

    position: JsonObject
    accept: tuple[tuple[JsonObject, ...], ...]
    remarks: tuple[LessonRemark, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson.

    Attributes:
        game: The game's name.
        name: Its own name, a part of its address.
        number: Its place among the lessons of the game, from 1.
        steps: Its tasks.
    """

    game: str
    name: str
    number: int
    steps: tuple[LessonStep, ...]


def read_lesson(game: str, name: str, text: str) -> Lesson:
    """Reads a lesson's file; raises InputError if it isn't one."""
    data = expect_object(tomllib.loads(text), name)
    number = data.get("number")
    if not isinstance(number, int):
        raise InputError(f"{name}: number: expected an integer, got {number!r}")
    steps = tuple(
        _read_step(expect_object(step, f"{name}.steps"), f"{name}.steps")
        for step in expect_list(data.get("steps"), f"{name}.steps")
    )
    if not 1 <= len(steps) <= MOST_STEPS:
        raise InputError(f"{name}: expected 1 to {MOST_STEPS} steps, got {len(steps)}")
    return Lesson(game, name, number, steps)


def _read_step(data: Mapping[str, Json], place: str) -> LessonStep:
    kept = {"accept", "remarks", "clause"}
    alternatives = expect_list(data.get("accept"), f"{place}.accept")
    return LessonStep(
        position={key: value for key, value in data.items() if key not in kept},
        accept=tuple(_predicates(one, f"{place}.accept") for one in alternatives),
        remarks=tuple(
            LessonRemark(
                expect_str(remark.get("text"), f"{place}.remarks.text"),
                _predicates(remark.get("when"), f"{place}.remarks.when"),
            )
            for entry in expect_list(data.get("remarks", []), f"{place}.remarks")
            for remark in [expect_object(entry, f"{place}.remarks")]
        ),
        clause=expect_str(data.get("clause"), f"{place}.clause"),
    )


def _predicates(value: Json, place: str) -> tuple[JsonObject, ...]:
    """Reads one predicate, or a list of which all must hold."""
    entries = value if isinstance(value, list) else [value]
    return tuple(expect_object(entry, place) for entry in entries)


@cache
def all_lessons() -> tuple[Lesson, ...]:
    """Every lesson that ships, by game, in the order in which they are taught."""
    found = [
        read_lesson(folder.name, file.name.removesuffix(".toml"), file.read_text(encoding="utf-8"))
        for folder in resources.files(PACKAGE).iterdir()
        if folder.is_dir()
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(found, key=lambda lesson: (lesson.game, lesson.number)))


def lesson_named(game: str, name: str) -> Lesson:
    """Returns a lesson; raises InputError if there is none of this name."""
    for lesson in all_lessons():
        if (lesson.game, lesson.name) == (game, name):
            return lesson
    raise InputError(f"expected a lesson of {game}, got {name!r}")
