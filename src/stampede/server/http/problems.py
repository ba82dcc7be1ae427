"""Problems: the one shape of all errors, over HTTP and over the WebSocket.

=====  ==================  ==========================================================
status code                when
=====  ==================  ==========================================================
400    malformed           it isn't JSON, or not a message
401    unknown_token       the token opens nothing
403    forbidden           this caller isn't allowed to do that
404    unknown_table …     there is no such thing
409    stale, not_awaited  it doesn't fit the present state, which comes along
       wrong_phase …
413    too_large           the body is too large
422    illegal, invalid    the rules refuse it (with the clause), or it can't be read
429    too_fast            too many requests; ``Retry-After`` says when to come back
429    too_many_reviews    this caller, or their address, has enough reviews under way
       address_busy
503    busy, unavailable   the database is busy or away; nothing was changed
503    damaged             the table's log isn't what was written; it waits for the operator
507    full                the disk is full; nothing was changed
=====  ==================  ==========================================================
"""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from stampede.core.errors import (
    ActionError,
    GameOver,
    InputError,
    NotToAct,
    RecordError,
    RuleSetError,
    StampedeError,
)
from stampede.core.json import Json, JsonObject
from stampede.matches import errors as refused
from stampede.server.http.schema import TableView
from stampede.store import LogDamaged, SequenceTaken, StoreBusy, StoreError, StoreFull

__all__ = [
    "PROBLEMS",
    "Problem",
    "ProblemAnswer",
    "TooManyRequests",
    "problem_of",
    "unknown",
    "wrong_record",
]

MOST_TOLD: Final = 200
"""Characters of a value that a record's fault tells."""


class Problem(Exception):
    """An error response.

    Attributes:
        status: The HTTP status.
        code: A word for programs.
        message: A sentence for people: what was expected and what was received. Never a secret.
        details: More, by case: ``clause``, ``decision``, ``awaited``, ``view`` …
        retry_after: Seconds after which to try again; None if that won't help.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        details: JsonObject | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = dict(details or {})
        self.retry_after = retry_after

    def to_json(self) -> dict[str, Json]:
        """Returns the problem as JSON."""
        return {"error": self.code, "message": self.message, **self.details}

    def response(self) -> JSONResponse:
        """Returns the problem as an HTTP response."""
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return JSONResponse(self.to_json(), self.status, headers)


class RecordFault(BaseModel):
    """What is wrong with a record, and where."""

    code: str = Field(
        description="altered, illegal, turn, over, missing, differs, unreadable, unfinished, no_result, result, game,"
        " rules, start, seats or format."
    )
    step: int | None = Field(description="The wrong step, counted from 0; null outside the steps.")
    clause: str | None = Field(description="The rule that refuses the step, such as B2.3.")
    values: dict[str, str] = Field(description="What a sentence about it needs.")


class ProblemAnswer(BaseModel):
    """Why a request failed. It changed nothing."""

    error: str = Field(description="A word for programs.")
    message: str = Field(
        description="A sentence for people: what was expected, and what was received."
    )
    clause: str | None = Field(None, description="422: the rule that refuses it, such as Z4.4.")
    phase: str | None = Field(None, description="409: the table's phase.")
    decision: str | None = Field(None, description="409: the decision that is present.")
    awaited: list[int] | None = Field(None, description="409: the players whose answer is awaited.")
    view: TableView | None = Field(None, description="409: where the table stands.")
    fields: list[str] | None = Field(None, description="422: the places that can't be read.")
    retry_after: int | None = Field(None, description="429: in how many seconds to come back.")
    fault: RecordFault | None = Field(None, description="422 wrong_record: what is wrong, where.")


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemAnswer, "description": text}
    for status, text in {
        400: "It isn't JSON.",
        401: "Unknown caller: GET /api/me first, or send a token.",
        403: "This caller isn't allowed to do that.",
        404: "It doesn't exist, or this caller may not see it.",
        409: "It doesn't fit the present state, which the response contains.",
        413: "The body is too large.",
        422: "The rules refuse it, or it can't be read.",
        429: "Too many requests; Retry-After says when to come back.",
        503: "The database is busy or unavailable; retry with the same key.",
        507: "The disk is full.",
    }.items()
}


class TooManyRequests(Problem):
    """Too many requests in too short a time."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            429,
            "too_fast",
            f"expected fewer requests; come back in {seconds} s",
            {"retry_after": seconds},
            seconds,
        )


def wrong_record(error: InputError) -> Problem:
    """A record can't be, and why."""
    fault: JsonObject = {"code": "format", "step": None, "clause": None, "values": {}}
    if isinstance(error, RecordError):
        code = error.code or ("format" if error.index is None else "unreadable")
        values: JsonObject = {key: text[:MOST_TOLD] for key, text in error.values.items()}
        fault = {
            "code": code,
            "step": error.index,
            "clause": error.clause or None,
            "values": values,
        }
    return Problem(422, "wrong_record", str(error), {"fault": fault})


def unknown(what: str) -> Problem:
    """It doesn't exist, or this caller may not see it."""
    return Problem(404, f"unknown_{what}", f"there is no such {what} here")


CONFLICTS = {
    refused.StaleDecision: "stale",
    refused.NotAwaited: "not_awaited",
    refused.WrongPhase: "wrong_phase",
    refused.ChairTaken: "chair_taken",
    refused.KeyReused: "key_reused",
}


def problem_of(error: StampedeError) -> Problem:
    """Converts an error of the layers below."""
    match error:
        case StoreError():
            return _store_problem(error)
        case refused.Conflict():
            details = {key: value for key, value in error.to_json().items() if key != "problem"}
            return Problem(409, CONFLICTS.get(type(error), "conflict"), str(error), details)
        case refused.Forbidden():
            return Problem(403, "forbidden", str(error))
        case refused.TableFull():
            return Problem(409, "table_full", str(error))
        case refused.TooOften():
            return Problem(429, "too_fast", str(error), {"retry_after": 5}, 5)
        case NotToAct():
            return Problem(409, "not_awaited", str(error), {"clause": error.clause})
        case GameOver():
            return Problem(409, "game_over", str(error), {"clause": error.clause})
        case ActionError():
            return Problem(422, "illegal", str(error), {"clause": error.clause})
        case RuleSetError():
            return Problem(422, "invalid_rules", str(error))
        case InputError():
            return Problem(422, "invalid", str(error))
        case _:
            return Problem(409, "conflict", str(error))


def _store_problem(error: StoreError) -> Problem:
    """Converts an error of the store. Nothing was acknowledged; the client can retry with the same key."""
    match error:
        case StoreBusy():
            return Problem(503, "busy", "too much waits to be written; try again", None, 1)
        case StoreFull():
            return Problem(507, "full", "the server's disk is full; nothing was changed")
        case LogDamaged():
            return Problem(
                503, "damaged", "this table's log is damaged; the operator can repair it"
            )
        case SequenceTaken():
            return Problem(503, "busy", "the table has just changed; try again", None, 1)
        case _:
            return Problem(503, "unavailable", "the database doesn't answer; try again", None, 2)
