"""A table's view as clients get it, described for the OpenAPI: the same fields as `stampede.matches.views`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from stampede.server.http.models import ResponseModel

__all__ = ["TableViewAnswer"]


class ClockAnswer(ResponseModel):
    """A player's clock."""

    left_ms: int = Field(description="What was left when it last started or stopped.")
    running_since: int | None = Field(description="Since when it runs; null while it stands.")


class PlayerAnswer(ResponseModel):
    """A chair."""

    player: int
    seat: int = Field(description="The seat in the running or last game.")
    name: str
    kind: Literal["open", "human", "program", "bot"]
    level: str | None
    host: bool
    absent: bool = Field(description="A bot stands in until the player is back.")
    left: bool = Field(description="The player has left, and a bot plays on.")
    free: bool = Field(description="Somebody may sit down here.")
    awaited: bool
    clock: ClockAnswer | None


class DecisionAnswer(ResponseModel):
    """What is awaited."""

    id: str = Field(description="An answer names it.")
    since: int
    awaited: list[int]


class ProposalAnswer(ResponseModel):
    """What somebody has proposed."""

    on: Literal["abort", "undo", "pause", "resume", "next"]
    agreed: list[int]
    asked: list[int]


class ResultAnswer(ResponseModel):
    """How a game of this table ended."""

    game: int
    winners: list[int]
    reason: str
    aborted: bool


class DealAnswer(ResponseModel):
    """The commitment to a game's chance; seed and nonce once it's over."""

    scheme: Literal["stampede-deal/1"]
    commitment: str
    salts: list[str]
    seed: str | None = None
    nonce: str | None = None


class TableViewAnswer(ResponseModel):
    """All that a viewer may know of a table."""

    table: str
    seq: int
    at: int
    game: str
    number: int
    phase: Literal["lobby", "playing", "paused", "over", "closed"]
    settings: dict[str, JsonValue]
    you: int | None
    players: list[PlayerAnswer]
    decision: DecisionAnswer | None
    proposals: list[ProposalAnswer]
    series: dict[str, JsonValue]
    deal: DealAnswer | None
    next_deal: DealAnswer
    results: list[ResultAnswer]
    view: dict[str, JsonValue] | None = Field(description="The game, as the viewer's seat sees it.")
