"""Routes of notices: the server's key, subscribing and unsubscribing a browser."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Request
from pydantic import Field

from stampede.server.accounts.models import DoneAnswer
from stampede.server.http.dependencies import AnyCaller, KnownCaller, RunningServices
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.http.problems import PROBLEMS, Problem
from stampede.server.notices.delivery import check_endpoint
from stampede.server.notices.encryption import SECRET, decode64, read_public_key
from stampede.store.accounts.push import Subscription

__all__ = ["router"]

router = APIRouter(prefix="/api/notices", responses=PROBLEMS)

SUBSCRIBE_COST: Final = 5.0
"""How many requests a subscription counts as: it stays in the database."""

Endpoint = Annotated[str, Field(min_length=8, max_length=500)]


class NoticesAnswer(ResponseModel):
    """What a browser needs in order to subscribe."""

    key: str = Field(description="The server's public key (VAPID), as base64url.")
    browsers: int = Field(description="How many of your browsers get notices.")


class PushKeys(RequestModel):
    """A subscription's keys, as base64url."""

    p256dh: Annotated[str, Field(min_length=80, max_length=100)]
    auth: Annotated[str, Field(min_length=16, max_length=40)]


class SubscribeRequest(RequestModel):
    """A browser's subscription, as ``PushSubscription.toJSON`` gives it, and the language of its notices."""

    endpoint: Endpoint
    keys: PushKeys
    language: Literal["en", "fr", "de", "it", "nl"] = "en"


class UnsubscribeRequest(RequestModel):
    """A browser that gets no more notices."""

    endpoint: Endpoint


@router.get("", response_model=NoticesAnswer)
async def notices(services: RunningServices, caller: AnyCaller) -> NoticesAnswer:
    """The server's key, and how many browsers of yours get notices."""
    found = services.notices
    count = 0 if caller.guest is None else await found.store.count(caller.guest)
    return NoticesAnswer(key=found.key.public, browsers=count)


@router.post("", response_model=DoneAnswer)
async def subscribe(
    request: Request, services: RunningServices, caller: KnownCaller, body: SubscribeRequest
) -> DoneAnswer:
    """Subscribes a browser: it is told when it is your turn at a table with a clock of days, or when you are asked."""
    services.limit(request, caller, SUBSCRIBE_COST)
    guest = _guest(caller.guest)
    found = services.notices
    try:
        check_endpoint(body.endpoint, allow_private=found.delivery.allow_private)
        read_public_key(body.keys.p256dh)
        if len(decode64(body.keys.auth)) != SECRET:
            raise ValueError(f"expected a secret of {SECRET} bytes")
    except ValueError as error:
        raise Problem(422, "invalid", f"subscription: {error}") from None
    subscription = Subscription(body.endpoint, body.keys.p256dh, body.keys.auth, body.language)
    session = await services.sessions.find(request)
    session_id = None if session is None else session.session_id
    await found.store.add(guest, subscription, services.runtime.wall(), session_id)
    return DoneAnswer(done=True)


@router.delete("", response_model=DoneAnswer)
async def unsubscribe(
    services: RunningServices, caller: KnownCaller, body: UnsubscribeRequest
) -> DoneAnswer:
    """Ends a browser's subscription, if it is yours."""
    subscription = Subscription(body.endpoint, "", "", "")
    await services.notices.store.remove(subscription.digest, _guest(caller.guest))
    return DoneAnswer(done=True)


def _guest(guest: str | None) -> str:
    if guest is None:
        raise Problem(401, "unknown_guest", "expected a guest's cookie: GET /api/me gives one")
    return guest
