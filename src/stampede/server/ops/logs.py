"""Logs: text for people, or JSON for programs; never a secret.

No code logs a token, a cookie or a passphrase. In case one comes in with an exception's text, or a table's id with a
path, the formatters shorten every long word that looks random.
"""

from __future__ import annotations

import json
import logging
import re
import time
from itertools import pairwise
from typing import Any, Final, Literal

__all__ = ["JsonFormatter", "TextFormatter", "log_config", "redact"]

WORD: Final = re.compile(r"[A-Za-z0-9_=-]{20,}")
HEX: Final = re.compile(r"[0-9a-f]{32,}")
MIN_CHANGES: Final = 8
"""Names in CamelCase have fewer, tokens nearly always more."""
ID_LENGTH: Final = 22
ID_MIN_CHANGES: Final = 4
"""A word as long as a table's id is shortened sooner: one id in a hundred has fewer than `MIN_CHANGES`."""
SHOWN: Final = 4
FIELDS: Final = ("method", "route", "status", "ms", "table")
"""The extra attributes that a log record may have."""


def redact(text: str) -> str:
    """Shortens everything in a text that may be a secret."""
    return WORD.sub(lambda found: _shorten(found[0]), text)


def _shorten(word: str) -> str:
    limit = ID_MIN_CHANGES if len(word) == ID_LENGTH else MIN_CHANGES
    if HEX.search(word) or _count_changes(word) >= limit:
        return f"{word[:SHOWN]}…"
    return word


def _count_changes(word: str) -> int:
    """Counts changes between lower case, upper case and digits: few in words, many in random text."""
    kinds = ["d" if sign.isdigit() else "u" if sign.isupper() else "l" for sign in word]
    return sum(one != other for one, other in pairwise(kinds))


class TextFormatter(logging.Formatter):
    """Formats lines for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """Formats a record, with the traceback of an exception."""
        return redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """Formats one JSON object a line: ``time``, ``level``, ``logger``, ``pid``, ``message``, extra attributes."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        """Formats a record, with the traceback of an exception."""
        line: dict[str, object] = {
            "time": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "pid": record.process,
            "message": redact(record.getMessage()),
        }
        line |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info:
            line["error"] = redact(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


def log_config(style: Literal["text", "json"], *, verbose: bool) -> dict[str, Any]:
    """Returns the configuration of Python's logging, for uvicorn and us."""
    formatter = JsonFormatter if style == "json" else TextFormatter
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
