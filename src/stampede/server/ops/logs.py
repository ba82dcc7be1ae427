"""Logs: lines for people, or JSON for programs; never a secret.

Nobody writes a token, a cookie or a passphrase into a log. Should one come in with an error's text all the same, or a
table's id with an address, it is shortened on its way out: whatever is long and looks drawn by lot.
"""

from __future__ import annotations

import json
import logging
import re
import time
from itertools import pairwise
from typing import Any, Final, Literal

__all__ = ["JsonLines", "PlainLines", "log_config", "redacted"]

WORD: Final = re.compile(r"[A-Za-z0-9_=-]{20,}")
HEX: Final = re.compile(r"[0-9a-f]{32,}")
FEWEST_CHANGES: Final = 8
SHOWN: Final = 4
FIELDS: Final = ("method", "route", "status", "ms", "table")
"""What a record may carry beside its text."""


def redacted(text: str) -> str:
    """The text with everything shortened that could open something."""
    return WORD.sub(lambda found: _shortened(found[0]), text)


def _shortened(word: str) -> str:
    if HEX.search(word) or _changes(word) >= FEWEST_CHANGES:
        return f"{word[:SHOWN]}…"
    return word


def _changes(word: str) -> int:
    """How often small letters, capitals and digits take turns: seldom in words, all the time in random ones."""
    kinds = ["d" if sign.isdigit() else "u" if sign.isupper() else "l" for sign in word]
    return sum(one != other for one, other in pairwise(kinds))


class PlainLines(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """One record, an error with its traceback."""
        return redacted(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object a line: ``time``, ``level``, ``logger``, ``pid``, ``message``, and what belongs to it."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        """One record, an error with its traceback."""
        line: dict[str, object] = {
            "time": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "pid": record.process,
            "message": redacted(record.getMessage()),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["error"] = redacted(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def log_config(style: Literal["text", "json"], *, verbose: bool) -> dict[str, Any]:
    """The configuration of Python's logging, for uvicorn and us."""
    formatter = JsonLines if style == "json" else PlainLines
    level = "INFO" if verbose else "WARNING"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": formatter}},
        "handlers": {
            "lines": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "stream": "ext://sys.stderr",
            }
        },
        "loggers": {
            name: {"handlers": ["lines"], "level": level, "propagate": False}
            for name in ("uvicorn", "stampede")
        },
    }
