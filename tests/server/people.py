"""People for tests: browsers that keep cookies, sign up and sign in."""

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from simulation.choices import choose_action
from tests.waiting import PATIENCE, wait_until

COOKIE = "stampede_session"
PASSPHRASE = "eleven buffaloes and a chief"  # noqa: S105 - of nobody


def browser(base: str, agent: str = "test browser") -> httpx.Client:
    """A browser with a page of the server open: it names its origin, and keeps cookies."""
    headers = {"Origin": base, "User-Agent": agent}
    return httpx.Client(base_url=base, timeout=PATIENCE, headers=headers)


@contextmanager
def browsers(base: str, number: int) -> Iterator[list[httpx.Client]]:
    """So many guests, each with a cookie of their own."""
    clients = [browser(base) for _ in range(number)]
    try:
        for client in clients:
            client.get("/api/me").raise_for_status()
        yield clients
    finally:
        for client in clients:
            client.close()


def new_name() -> str:
    """A name that nobody has yet."""
    return f"Ann {secrets.token_hex(5)}"


def keep(client: httpx.Client, name: str, passphrase: str = PASSPHRASE) -> list[str]:
    """Keeps a name; returns the recovery codes."""
    response = client.post("/api/accounts", json={"name": name, "passphrase": passphrase})
    assert response.status_code == 201, response.text
    codes: list[str] = response.json()["recovery_codes"]
    return codes


def sign_in(client: httpx.Client, name: str, passphrase: str = PASSPHRASE) -> httpx.Response:
    """Tries to sign in."""
    return client.post("/api/sessions", json={"name": name, "passphrase": passphrase})


def account(client: httpx.Client) -> dict[str, Any] | None:
    """The account of who is signed in."""
    found: dict[str, Any] | None = client.get("/api/account").json()["account"]
    return found


def open_table(client: httpx.Client, game: str, chairs: list[dict[str, str]], **more: Any) -> str:
    """Opens a table; returns its id."""
    body = {"key": secrets.token_hex(8), "game": game, "chairs": chairs, "pace_ms": 0, **more}
    response = client.post("/api/tables", json=body)
    assert response.status_code == 201, response.text
    table: str = response.json()["table"]
    return table


def command(client: httpx.Client, table: str, kind: str, **fields: Any) -> httpx.Response:
    """Sends a command."""
    body = {"key": secrets.token_hex(8), "command": {"type": kind, **fields}}
    return client.post(f"/api/tables/{table}/commands", json=body)


def sit(client: httpx.Client, table: str, name: str, player: int | None = None) -> str:
    """Sits down at a table; returns the seat's token."""
    response = command(client, table, "claim", name=name, player=player)
    assert response.status_code == 200, response.text
    token: str = response.json()["token"]
    return token


def names_at(client: httpx.Client, table: str) -> list[str]:
    """What the players of a table are called."""
    view = client.get(f"/api/tables/{table}").json()["view"]
    return [player["name"] for player in view["players"]]


def play_out(client: httpx.Client, table: str, rng: random.Random | None = None) -> None:
    """Plays against bots until the game is over, through whatever happens to the server."""
    chance = rng or random.Random(7)
    view: dict[str, Any] = {"seq": 0, "phase": ""}

    def goes_on() -> bool:
        known = view["seq"]
        try:
            answer = client.get(f"/api/tables/{table}")
            if answer.status_code == 503:
                return False
            view.update(answer.json()["view"])
            decision = view["decision"]
            if decision is not None and view["you"] in decision["awaited"]:
                action = choose_action(view["view"]["legal"], chance)
                fields = {"player": view["you"], "decision": decision["id"], "action": action}
                assert command(client, table, "act", **fields).status_code in (200, 409, 503)
        except httpx.TransportError:
            return False
        return bool(view["seq"] > known)

    while view["phase"] != "over":
        wait_until("the game goes on", goes_on, lambda: view)
