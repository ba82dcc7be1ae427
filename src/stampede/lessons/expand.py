"""Expands a lesson into plain JSON: every answer of every step with its outcome, so that clients need no rules.

The result depends on nothing but the lesson and the rules. A server makes it once, and a browser can keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from stampede.buffalo import BuffaloGame
from stampede.core.json import JsonObject
from stampede.lessons.buffalo_stage import BuffaloStage
from stampede.lessons.lesson import Lesson, LessonStep
from stampede.lessons.predicates import holds
from stampede.lessons.stage import LessonOutcome, Stage
from stampede.lessons.zoff_stage import ZoffStage
from stampede.zoff import ZoffGame

__all__ = ["expand_lesson"]

MakeStage: TypeAlias = Callable[[JsonObject], Stage]
STAGES: Final[Mapping[str, MakeStage]] = MappingProxyType(
    {ZoffGame.name: ZoffStage, BuffaloGame.name: BuffaloStage}
)


def expand_lesson(lesson: Lesson) -> JsonObject:
    """Plays every answer of a lesson and returns what each leads to."""
    make = STAGES[lesson.game]
    return {
        "game": lesson.game,
        "name": lesson.name,
        "number": lesson.number,
        "steps": [_expand_step(step, make(step.position)) for step in lesson.steps],
    }


def _expand_step(step: LessonStep, stage: Stage) -> JsonObject:
    position = step.position
    return {
        "clause": step.clause,
        "view": stage.view(),
        "cast": list(stage.cast()),
        "show": position.get("show", []),
        "lit": position.get("lit", []),
        "before": list(stage.before()),
        "answers": [_expand_answer(step, stage, outcome) for outcome in stage.outcomes()],
    }


def _expand_answer(step: LessonStep, stage: Stage, outcome: LessonOutcome) -> JsonObject:
    right = outcome.refusal is None and any(
        all(_is_true(stage, predicate, outcome) for predicate in alternative)
        for alternative in step.accept
    )
    return {
        "action": outcome.action,
        "verdict": "right" if right else "refused" if outcome.refusal is not None else "wrong",
        "events": list(outcome.events),
        "after": outcome.after,
        "reply": [] if right else list(stage.refute(outcome)),
        "remark": None if right else _remark(step, stage, outcome),
        "refusal": outcome.refusal,
    }


def _remark(step: LessonStep, stage: Stage, outcome: LessonOutcome) -> str | None:
    for remark in step.remarks:
        if all(_is_true(stage, predicate, outcome) for predicate in remark.when):
            return remark.text
    return None


def _is_true(stage: Stage, predicate: JsonObject, outcome: LessonOutcome) -> bool:
    if "event" in predicate:
        return holds(predicate, outcome.events)
    if "refused" in predicate:
        refusal = outcome.refusal
        return refusal is not None and predicate["refused"] in (
            refusal.get("code"),
            refusal["clause"],
        )
    return all(stage.holds(fact, value, outcome) for fact, value in predicate.items())
