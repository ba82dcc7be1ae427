"""Lessons: small tasks on real positions, answered by the rules themselves. A lesson is a TOML file, not code."""

from stampede.lessons.expand import expand_lesson
from stampede.lessons.lesson import Lesson, all_lessons, lesson_named

__all__ = ["Lesson", "all_lessons", "expand_lesson", "lesson_named"]
