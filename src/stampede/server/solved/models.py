"""Requests and responses about what is proven."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stampede.server.http.models import RequestModel, ResponseModel

__all__ = ["ChallengeAnswer", "ChallengeRequest", "SolvedAnswer"]

BuffaloSide = Literal["buffalo", "hunter"]
Winner = Annotated[
    BuffaloSide | None, Field(description="The side that is proven to win; null while it is open.")
]
StartName = Annotated[
    str | None, Field(description="For `POST /api/solved/play`; null when nothing can be played.")
]


class PseudoProofAnswer(ResponseModel):
    """A proof tree that closes if the engine is right about leaves with a large score: likely, not proven."""

    winner: BuffaloSide
    threshold: int = Field(description="From which score on the engine is trusted, in hundredths.")
    leaves: int = Field(description="How many leaves are trusted.")
    positions: int = Field(description="How many positions the tree's searches took.")


class EstimateAnswer(ResponseModel):
    """What is known about an open position. It proves nothing."""

    missing: str = Field(description="The files without a buffalo.")
    score: int = Field(description="The engine's, in hundredths, for the buffalo side.")
    positions: int = Field(description="How many positions the engine searched for it.")
    games: int = Field(description="How many games the engine played against itself from here.")
    hunter_wins: int = Field(description="How many of them the hunter won.")
    searched: int = Field(
        description="Positions of searches for a proof that found none; 0 without such a search."
    )
    likely: PseudoProofAnswer | None


class RungAnswer(ResponseModel):
    """A rung of the ladder (B4): above 0 buffaloes are missing, below 0 they step first."""

    rung: int
    winner: Winner
    proven: int = Field(description="How many ways to choose the files are proven.")
    total: int = Field(description="How many ways there are; mirror images count once.")
    certificates: list[str]
    fen: str = Field(description="An example of the rung.")
    start: StartName
    known: list[EstimateAnswer] = Field(
        description="While it is open: about its open ways, or about the example."
    )


class NarrowBoardAnswer(ResponseModel):
    """A board of fewer columns."""

    width: int
    fen: str
    winner: Winner
    certificate: str | None
    start: StartName


class FirstMoveAnswer(ResponseModel):
    """The first step of a buffalo; mirror images count once."""

    files: list[str]
    winner: Winner
    certificate: str | None
    start: StartName
    known: list[EstimateAnswer] = Field(description="While it is open: what is known about it.")


class FewerAnswer(ResponseModel):
    """The start without some buffaloes; mirror images count once."""

    missing: int
    files: list[str]
    winner: Winner
    certificate: str | None
    start: StartName


class StartAnswer(ResponseModel):
    """A proven position that can be played."""

    name: str
    fen: str
    turn: BuffaloSide
    winner: BuffaloSide
    width: int
    certificate: str


class CertificateAnswer(ResponseModel):
    """A verified certificate, which `GET /api/solved/certificates/{name}` serves."""

    name: str
    winner: BuffaloSide
    width: int
    claims: int = Field(description="How many positions it proves.")
    claim: str = Field(
        description="The first of them, a FEN; the others have as many buffaloes in the same places or on other files."
    )
    answers: int = Field(description="How many positions it answers.")
    tablebases: list[str] = Field(description="What a check has to rebuild; docs/tablebases.md.")
    bytes: int
    seconds: int = Field(description="How long its last check took, with its tablebases.")


class SolvedAnswer(ResponseModel):
    """All that is proven."""

    rungs: list[RungAnswer]
    boards: list[NarrowBoardAnswer]
    first_moves: list[FirstMoveAnswer]
    fewer: list[FewerAnswer]
    others: list[StartAnswer]
    certificates: list[CertificateAnswer]


class ChallengeRequest(RequestModel):
    """A game against a proof: where it began, and all moves of both sides so far."""

    start: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    moves: Annotated[
        list[Annotated[str, StringConstraints(min_length=4, max_length=4)]], Field(max_length=140)
    ]


class ChallengeAnswer(ResponseModel):
    """The position after the proof's answer."""

    fen: str
    turn: BuffaloSide
    reply: str | None = Field(description="The proof's answer; null when it isn't to move.")
    kind: Literal["certificate", "tablebase", "engine"] | None = Field(
        description="Where the answer is from. The engine answers for tablebases that this server doesn't have."
    )
    source: str | None = Field(description="The certificate or the tablebase.")
    over: bool
    winner: BuffaloSide | None
    moves: dict[str, list[str]] = Field(description="Your moves: targets by square.")
