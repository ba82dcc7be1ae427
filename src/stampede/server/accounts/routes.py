"""Routes of accounts and sessions. Those that change something refuse requests of other sites' pages."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import StreamingResponse

from stampede.core.errors import StampedeError
from stampede.core.json import Json
from stampede.server.accounts.models import (
    AccountAnswer,
    AccountRequest,
    CodesAnswer,
    ConfirmRequest,
    CountAnswer,
    DoneAnswer,
    MyGamesAnswer,
    NameAnswer,
    NameRequest,
    NewAccountAnswer,
    PasskeyOptions,
    PasskeyRequest,
    PassphraseRequest,
    RecoveryRequest,
    SessionsAnswer,
    SignInAnswer,
    SignInRequest,
)
from stampede.server.http.dependencies import AnyCaller, JsonResponse, RunningServices
from stampede.server.http.identity import check_origin
from stampede.server.http.problems import PROBLEMS, Problem, problem_of, unknown
from stampede.server.tables.listing import join_summaries
from stampede.store.accounts.sessions import Session

__all__ = ["SignedIn", "router"]

MAX_TIME = 2**53

router = APIRouter(prefix="/api", responses=PROBLEMS)


async def require_session(
    request: Request, services: RunningServices, caller: AnyCaller
) -> Session:
    """Returns the caller's session; raises a Problem without one, or for another site's page."""
    del caller  # only counted
    check_origin(request)
    return await services.sessions.require(request)


async def get_newcomer(request: Request, caller: AnyCaller) -> str | None:
    """Returns the guest who wants to sign in; raises a Problem for another site's page."""
    check_origin(request)
    return caller.guest


NameQuery = Annotated[str, Query(min_length=1, max_length=100)]
SignedIn = Annotated[Session, Depends(require_session)]
Newcomer = Annotated[str | None, Depends(get_newcomer)]


# --- names ---


@router.get("/names", response_model=NameAnswer)
async def name(services: RunningServices, _: AnyCaller, name: NameQuery) -> dict[str, Json]:
    """Whether a name is free."""
    try:
        normal = await services.accounts.require_free_name(name)
    except Problem as problem:
        return {"name": name, "free": False, "problem": problem.message}
    return {"name": normal, "free": True, "problem": None}


@router.post("/accounts/passkey", response_model=PasskeyOptions)
async def new_passkey(
    request: Request, body: NameRequest, services: RunningServices, _: Newcomer
) -> dict[str, Json]:
    """Options for a passkey of a new account."""
    services.accounts.count_attempt(request, None)
    normal = await services.accounts.require_free_name(body.name)
    account_id = services.sessions.new_account_id()
    options = await services.accounts.passkeys.creation_options(request, account_id, normal)
    return {"options": options}


@router.post("/accounts", status_code=201, response_model=NewAccountAnswer)
async def register(
    request: Request,
    response: Response,
    body: AccountRequest,
    services: RunningServices,
    guest: Newcomer,
) -> dict[str, Json]:
    """Makes an account and signs you in. Your seats move to it."""
    if await services.sessions.find(request) is not None:
        raise Problem(409, "signed_in", "expected a caller who isn't signed in")
    made = await services.accounts.register(
        request, response, body.name, body.passphrase, body.passkey, body.label
    )
    await services.account_data.carry_over(guest, made.session)
    return {"name": made.session.name, "recovery_codes": list(made.codes)}


@router.get("/account", response_model=AccountAnswer)
async def account(request: Request, services: RunningServices, _: AnyCaller) -> dict[str, Json]:
    """Your account, if you are signed in."""
    session = await services.sessions.find(request)
    found = None if session is None else await services.accounts.store.find(session.account_id)
    if session is None or found is None:
        return {"account": None}
    passkeys = await services.accounts.passkeys.store.of(found.account_id)
    return {
        "account": {
            "name": found.name,
            "created": found.created,
            "passphrase": found.passphrase is not None,
            "passkeys": [
                {"id": key.digest, "label": key.label, "created": key.created, "used": key.used}
                for key in passkeys
            ],
            "recovery_codes": await services.accounts.store.codes_left(found.account_id),
            "fresh": services.sessions.is_fresh(session),
        }
    }


@router.post("/account/name", response_model=SignInAnswer)
async def rename(
    body: NameRequest, services: RunningServices, session: SignedIn
) -> dict[str, Json]:
    """Changes your name. Games that have begun keep the old one."""
    return {"name": await services.accounts.rename(session, body.name)}


@router.post("/account/confirm", response_model=DoneAnswer)
async def confirm(
    request: Request, body: ConfirmRequest, services: RunningServices, session: SignedIn
) -> dict[str, Json]:
    """Confirms who you are: for 15 minutes you can change the passphrase and passkeys."""
    await services.accounts.confirm(request, session, body.passphrase, body.passkey)
    return {"done": True}


@router.post("/account/passphrase", response_model=DoneAnswer)
async def passphrase(
    body: PassphraseRequest, services: RunningServices, session: SignedIn
) -> dict[str, Json]:
    """Changes the passphrase, and ends all your other sessions."""
    await services.accounts.set_passphrase(session, body.passphrase)
    await services.registry.signal(session.account_id, "drop")
    return {"done": True}


@router.post("/account/recovery-codes", response_model=CodesAnswer)
async def recovery_codes(services: RunningServices, session: SignedIn) -> dict[str, Json]:
    """Makes new recovery codes; the old ones become invalid."""
    return {"recovery_codes": list(await services.accounts.renew_codes(session))}


@router.post("/account/passkeys/options", response_model=PasskeyOptions)
async def passkey_options(
    request: Request, services: RunningServices, session: SignedIn
) -> dict[str, Json]:
    """Options for adding a passkey."""
    services.sessions.check_fresh(session)
    passkeys = services.accounts.passkeys
    return {"options": await passkeys.creation_options(request, session.account_id, session.name)}


@router.post("/account/passkeys", status_code=201, response_model=DoneAnswer)
async def add_passkey(
    request: Request, body: PasskeyRequest, services: RunningServices, session: SignedIn
) -> dict[str, Json]:
    """Adds a passkey."""
    await services.accounts.add_passkey(request, session, body.passkey, body.label)
    return {"done": True}


@router.delete("/account/passkeys/{passkey_id}", response_model=DoneAnswer)
async def remove_passkey(
    services: RunningServices, session: SignedIn, passkey_id: str
) -> dict[str, Json]:
    """Removes a passkey, unless you couldn't sign in without it."""
    services.sessions.check_fresh(session)
    if not await services.accounts.passkeys.store.remove(session.account_id, passkey_id):
        raise Problem(409, "last_way_in", "expected a passkey of yours that isn't your last way in")
    return {"done": True}


@router.get("/account/games", responses={200: {"model": MyGamesAnswer}})
async def my_games(
    services: RunningServices,
    session: SignedIn,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    before: Annotated[
        int, Query(ge=0, le=MAX_TIME, description="`before` of the previous response.")
    ] = MAX_TIME,
) -> Response:
    """The tables at which you have ever sat, the latest change first."""
    found = await services.accounts.store.summaries(session.account_id, limit, before)
    older = "null" if len(found) < limit else found[-1].partition('"updated":')[2].split("}")[0]
    return JsonResponse(f'{{"tables":{join_summaries(found)},"before":{older}}}')


@router.get("/account/export", include_in_schema=False)
async def export(services: RunningServices, session: SignedIn) -> Response:
    """The records of your finished games, one a line (docs/record.md)."""
    services.account_data.exports.take(session.account_id)
    return StreamingResponse(
        services.account_data.export(session.account_id),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": 'attachment; filename="stampede-games.jsonl"'},
    )


@router.delete("/account", response_model=DoneAnswer)
async def delete(
    request: Request, response: Response, services: RunningServices, session: SignedIn
) -> dict[str, Json]:
    """Deletes your account. Your games stay, without your name."""
    services.sessions.check_fresh(session)
    try:
        await services.account_data.delete(session.account_id)
    except StampedeError as error:
        raise problem_of(error) from error
    await services.registry.signal(session.account_id, "drop")
    services.sessions.sign_out(request, response)
    return {"done": True}


# --- sessions ---


@router.post("/sessions/passkey", response_model=PasskeyOptions)
async def passkey_request(
    request: Request, services: RunningServices, _: Newcomer
) -> dict[str, Json]:
    """Options for signing in or confirming with a passkey."""
    services.accounts.count_passkey(request)
    return {"options": await services.accounts.passkeys.request_options(request)}


@router.post("/sessions", status_code=201, response_model=SignInAnswer)
async def sign_in(
    request: Request,
    response: Response,
    body: SignInRequest,
    services: RunningServices,
    guest: Newcomer,
) -> dict[str, Json]:
    """Signs you in. Your seats as a guest move to the account."""
    accounts = services.accounts
    previous = await services.sessions.find(request)
    if body.passkey is not None:
        session = await accounts.sign_in_by_passkey(request, response, body.passkey)
    elif body.name is not None and body.passphrase is not None:
        session = await accounts.sign_in(request, response, body.name, body.passphrase)
    else:
        raise Problem(422, "invalid", "expected a name and its passphrase, or a passkey")
    if previous is not None:  # it has ended
        await services.registry.signal(previous.account_id, "drop")
    await services.account_data.carry_over(guest if previous is None else None, session)
    return {"name": session.name}


@router.post("/sessions/recover", status_code=201, response_model=SignInAnswer)
async def recover(
    request: Request,
    response: Response,
    body: RecoveryRequest,
    services: RunningServices,
    _: Newcomer,
) -> dict[str, Json]:
    """Sets a new passphrase with a recovery code, ends all sessions, and signs you in."""
    accounts = services.accounts
    session = await accounts.recover(request, response, body.name, body.code, body.passphrase)
    await services.registry.signal(session.account_id, "drop")
    return {"name": session.name}


@router.get("/sessions", response_model=SessionsAnswer)
async def sessions(services: RunningServices, session: SignedIn) -> dict[str, Json]:
    """Your sessions."""
    return {
        "sessions": [
            {
                "id": found.session_id,
                "current": found.digest == session.digest,
                "device": found.device,
                "created": found.created,
                "seen": found.seen,
            }
            for found in await services.sessions.store.of(session.account_id)
        ]
    }


@router.delete("/sessions", response_model=CountAnswer)
async def end_others(services: RunningServices, session: SignedIn) -> dict[str, Json]:
    """Ends all your sessions but this one."""
    store = services.sessions.store
    count = await store.end_others(session.account_id, session.digest)
    await services.registry.signal(session.account_id, "drop")
    return {"count": count}


@router.delete("/sessions/{session_id}", response_model=DoneAnswer)
async def end_session(
    request: Request,
    response: Response,
    services: RunningServices,
    session: SignedIn,
    session_id: str,
) -> dict[str, Json]:
    """Ends one of your sessions; ``current`` is this one: you sign out."""
    wanted = session.session_id if session_id == "current" else session_id
    if not await services.sessions.store.end(session.account_id, wanted):
        raise unknown("session")
    await services.registry.signal(session.account_id, "drop")
    if wanted == session.session_id:
        services.sessions.sign_out(request, response)
    return {"done": True}
