"""The reasons that Buffalo gives: every code, and the values that may come with one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal, TypeAlias

from stampede.core.events import Reason

__all__ = ["BuffaloReason", "BuffaloReasonCode"]

BuffaloReasonCode: TypeAlias = Literal[
    # captures and blocks (B2.4, B2.5)
    "chief_entered",
    "piece_in_front",
    # the opening turn (B4.3)
    "all_stepped",
    "no_other_buffalo",
    # the end (B3)
    "crossed",
    "no_move",
    # pieces that can't move (B2.3, B2.4, B4.3)
    "enclosed",
    "has_stepped",
]


@dataclass(frozen=True, slots=True)
class BuffaloReason(Reason):
    """Why something in Buffalo is so: a code to translate, the clause, and the values that the sentence needs."""

    VALUE_TYPES: ClassVar[Mapping[str, type]] = MappingProxyType(
        {"blocked": int, "captured": int, "square": str}
    )

    code: BuffaloReasonCode
