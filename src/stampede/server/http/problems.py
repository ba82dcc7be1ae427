"""What is answered when something can't be done: one shape for all, over HTTP and over the WebSocket.

=====  ==================  ==========================================================
status code                when
=====  ==================  ==========================================================
400    malformed           it isn't JSON, or not a message
401    unknown_token       the token opens nothing
403    forbidden           this caller may not do that
404    unknown_table …     there is no such thing
409    stale, not_awaited  it doesn't fit the present state, which comes along
       wrong_phase …
413    too_large           the body is too large
422    illegal, invalid    the rules refuse it (with the clause), or it can't be read
429    too_fast            too many requests; ``Retry-After`` says when to come back
503    busy, unavailable   the database is busy or away; nothing was changed
507    full                the disk is full; nothing was changed
=====  ==================  ==========================================================
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field
from starlette.responses import JSONResponse

from stampede.core.errors import (
    ActionError,
    GameOver,
    InputError,
    NotToAct,
    RuleSetError,
    StampedeError,
)
from stampede.core.json import Json, JsonObject
from stampede.matches import errors as refused
from stampede.server.http.schema import TableView
from stampede.store import SequenceTaken, StoreBusy, StoreError, StoreFull

__all__ = ["PROBLEMS", "Problem", "ProblemAnswer", "TooManyRequests", "problem_of", "unknown"]


class Problem(Exception):
    """An answer that isn't what was asked for.

    Attributes:
        status: The HTTP status.
        code: A word for programs.
        message: A sentence for people: what was expected and what was got. Never a secret.
        details: More, by case: ``clause``, ``decision``, ``awaited``, ``view`` …
        retry_after: In how many seconds it's worth another try; None when that says nothing.
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
        """The problem as JSON."""
        return {"error": self.code, "message": self.message, **self.details}

    def response(self) -> JSONResponse:
        """The problem as an HTTP response."""
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        return JSONResponse(self.to_json(), self.status, headers)


class ProblemAnswer(BaseModel):
    """Why something wasn't done. Nothing was changed."""

    error: str = Field(description="A word for programs.")
    message: str = Field(description="A sentence for people: what was expected, and what was got.")
    clause: str | None = Field(None, description="422: the rule that refuses it, such as Z4.4.")
    phase: str | None = Field(None, description="409: the table's phase.")
    decision: str | None = Field(None, description="409: the decision that is present.")
    awaited: list[int] | None = Field(None, description="409: the players whose answer is awaited.")
    view: TableView | None = Field(None, description="409: where the table stands.")
    fields: list[str] | None = Field(None, description="422: the places that can't be read.")
    retry_after: int | None = Field(None, description="429: in how many seconds to come back.")


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemAnswer, "description": text}
    for status, text in {
        400: "It isn't JSON.",
        401: "Nobody is known by that: GET /api/me first, or show a token.",
        403: "This caller may not do that.",
        404: "There is no such thing, or it isn't shown to this caller.",
        409: "It doesn't fit the present state, which comes along.",
        413: "The body is too large.",
        422: "The rules refuse it, or it can't be read.",
        429: "Too many requests; Retry-After says when to come back.",
        503: "The database is busy or away; the same key can be sent again.",
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


def unknown(what: str) -> Problem:
    """There is no such thing, or it isn't shown to this caller."""
    return Problem(404, f"unknown_{what}", f"there is no such {what} here")


CONFLICTS = {
    refused.StaleDecision: "stale",
    refused.NotAwaited: "not_awaited",
    refused.WrongPhase: "wrong_phase",
    refused.ChairTaken: "chair_taken",
    refused.KeyReused: "key_reused",
}


def problem_of(error: StampedeError) -> Problem:
    """What an error of the parts below means to a client."""
    match error:
        case StoreError():
            return _storage(error)
        case refused.Conflict():
            details = {key: value for key, value in error.to_json().items() if key != "problem"}
            return Problem(409, CONFLICTS.get(type(error), "conflict"), str(error), details)
        case refused.Forbidden():
            return Problem(403, "forbidden", str(error))
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


def _storage(error: StoreError) -> Problem:
    """Nothing was acknowledged; the same request with the same key can be sent again."""
    match error:
        case StoreBusy():
            return Problem(503, "busy", "too much waits to be written; try again", None, 1)
        case StoreFull():
            return Problem(507, "full", "the server's disk is full; nothing was changed")
        case SequenceTaken():
            return Problem(503, "busy", "the table has just changed; try again", None, 1)
        case _:
            return Problem(503, "unavailable", "the database doesn't answer; try again", None, 2)
