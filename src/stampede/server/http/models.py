"""Base models of requests and responses."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

__all__ = ["RequestModel", "ResponseModel"]


class RequestModel(BaseModel):
    """Base of everything that clients send: no unknown fields, no coercion, immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ResponseModel(BaseModel):
    """Base of everything that clients receive."""

    model_config = ConfigDict(extra="forbid")
