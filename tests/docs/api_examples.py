"""An example of every request: asked of a running server, and kept for the page /api. `make types` runs it."""

from __future__ import annotations

import base64
import json
import re
import secrets
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from stampede.buffalo import Position
from stampede.server.app import create_app
from stampede.server.http.examples import EXAMPLES
from tests.server.people import PASSPHRASE, browsers, play_out
from tests.server.servers import running, settings_for
from tests.web.records import EDITION, SHORT_BUFFALO, random_record

__all__ = ["ask_everything", "list_routes"]

MAX_ITEMS: Final = 2
MAX_TEXT: Final = 90
MAX_DEPTH: Final = 4
MAX_KEYS: Final = 14
LINES: Final = "application/x-ndjson"

Example = dict[str, Any]


def list_routes() -> dict[str, str]:
    """Every operation of the OpenAPI as ``METHOD /path``, and a pattern for its addresses."""
    found = {}
    for path, methods in create_app().openapi()["paths"].items():
        pattern = re.sub(r"\\\{[a-z_]+\\\}", "[^/.]+", re.escape(path))
        found.update({f"{method.upper()} {path}": pattern for method in methods})
    return found


class Asker:
    """A browser that keeps the first answer to every kind of request."""

    def __init__(self, client: httpx.Client, routes: Mapping[str, str]) -> None:
        self.client = client
        self.examples: dict[str, Example] = {}
        self._routes = routes

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Sends a request, keeps it as an example, and returns the answer's JSON."""
        answer = self.client.request(method, path, json=body)
        kind = answer.headers.get("content-type", "").split(";")[0]
        told: Any = None
        if kind == "application/json":
            told = answer.json()
        elif kind == LINES:
            told = json.loads(answer.text.split("\n")[0])
        example: Example = {"path": path, "status": answer.status_code}
        if body is not None:
            example["body"] = shorten(body)
        example["answer"] = shorten(told) if told is not None else kind
        self.examples.setdefault(self._route(method, path), example)
        return told

    def _route(self, method: str, path: str) -> str:
        address = path.partition("?")[0]
        fitting = [
            name
            for name, pattern in self._routes.items()
            if name.startswith(f"{method} ") and re.fullmatch(pattern, address)
        ]
        assert fitting, f"{method} {path}: expected a route of the OpenAPI"
        return min(fitting, key=lambda name: name.count("{"))


def shorten(value: Any, depth: int = 0) -> Any:
    """A value with long lists, texts and depths cut; an ellipsis says so."""
    if isinstance(value, dict):
        if depth >= MAX_DEPTH and value:
            return {"…": "…"}
        kept = {key: shorten(item, depth + 1) for key, item in list(value.items())[:MAX_KEYS]}
        return kept if len(value) <= MAX_KEYS else {**kept, "…": "…"}
    if isinstance(value, list):
        kept_items = [shorten(item, depth + 1) for item in value[:MAX_ITEMS]]
        return kept_items if len(value) <= MAX_ITEMS else [*kept_items, "…"]
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return value[:MAX_TEXT] + "…"
    return value


def ask_everything(base: str) -> dict[str, Example]:
    """Asks a server every kind of request, in an order in which each has something to answer."""
    with browsers(base, 2) as (client, other):
        one = Asker(client, list_routes())
        for path in (
            "me",
            "games",
            "editions",
            "words",
            "lessons",
            "solved",
            "puzzles",
            "names?name=Etta",
        ):
            one.ask("GET", f"/api/{path}")
        one.ask("POST", "/api/accounts/passkey", {"name": "Etta"})
        _ask_accounts(one, f"Etta {secrets.token_hex(3)}")
        table = _ask_tables(one)
        _ask_community(one, other, table)
        _ask_study(one, table)
        _ask_leaving(one, table)
        return dict(sorted(one.examples.items()))


def _ask_accounts(one: Asker, name: str) -> None:
    one.ask("POST", "/api/accounts", {"name": name, "passphrase": PASSPHRASE})
    one.ask("GET", "/api/account")
    one.ask("POST", "/api/account/confirm", {"passphrase": PASSPHRASE})
    one.ask("POST", "/api/account/name", {"name": name})
    one.ask("POST", "/api/account/passphrase", {"passphrase": PASSPHRASE})
    codes = one.ask("POST", "/api/account/recovery-codes")["recovery_codes"]
    one.ask("POST", "/api/account/passkeys/options")
    one.ask("POST", "/api/account/passkeys", {"passkey": {"id": "abc"}, "label": "phone"})
    one.ask("DELETE", "/api/account/passkeys/abc")
    one.ask("POST", "/api/account/profile", {"shown": True})
    one.ask("POST", "/api/sessions/passkey")
    one.ask("GET", "/api/sessions")
    one.ask("DELETE", "/api/sessions")
    one.ask("DELETE", "/api/sessions/current")
    one.client.get("/api/me")
    recovery = {"name": name, "code": codes[0], "passphrase": PASSPHRASE}
    one.ask("POST", "/api/sessions/recover", recovery)
    one.client.delete("/api/sessions/current")
    one.client.get("/api/me")
    one.ask("POST", "/api/sessions", {"name": name, "passphrase": PASSPHRASE})
    one.ask("GET", f"/api/people/{name}")
    one.ask("GET", f"/api/ratings/player?name={name}")
    one.ask("GET", f"/api/ratings/history?name={name}&board=buffalo-buffalo-0")


def _ask_tables(one: Asker) -> str:
    """Opens a table, sits down, plays a rated game to its end, and looks at it; returns the table."""
    chairs = [{}, {"bot": "random"}]
    opening = {"key": secrets.token_hex(8), "game": "buffalo", "chairs": chairs, "rated": True}
    table: str = one.ask("POST", "/api/tables", {**opening, "public": True, "pace_ms": 0})["table"]
    one.ask("GET", "/api/tables?status=open")
    command = {"type": "claim", "name": "Etta", "player": 0}
    one.ask(
        "POST", f"/api/tables/{table}/commands", {"key": secrets.token_hex(8), "command": command}
    )
    play_out(one.client, table)
    for path in (
        "",
        "/events?limit=2",
        "/record",
        "/replay",
        "/people",
        "/ratings?game=1",
        "/chat",
    ):
        one.ask("GET", f"/api/tables/{table}{path}")
    one.ask("GET", "/api/tables/mine")
    one.ask("GET", "/api/account/games")
    one.ask("GET", "/api/account/ratings")
    one.ask("GET", "/api/ratings/boards")
    one.ask("GET", "/api/ratings?board=buffalo-buffalo-0")
    one.ask("GET", "/api/statistics")
    one.ask("GET", "/api/exhibition?game=buffalo")
    one.ask("GET", f"/api/records/{'0' * 32}")
    return table


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _ask_community(one: Asker, other: httpx.Client, table: str) -> None:
    one.ask("POST", f"/api/tables/{table}/chat", {"phrase": "hello"})
    one.ask("POST", f"/api/tables/{table}/chat/agree", {"agree": True})
    chairs: list[object] = [{}, {}]
    body = {"key": secrets.token_hex(8), "game": "buffalo", "chairs": chairs, "public": True}
    shared = one.client.post("/api/tables", json=body).json()["table"]
    for client, name in ((one.client, "Etta"), (other, "Dusty")):
        claim = {"key": secrets.token_hex(8), "command": {"type": "claim", "name": name}}
        client.post(f"/api/tables/{shared}/commands", json=claim).raise_for_status()
    one.ask("POST", f"/api/tables/{shared}/reports", {"player": 1, "reason": "spam"})
    one.ask("POST", "/api/blocks", {"table": shared, "player": 1})
    blocks = one.ask("GET", "/api/blocks")["blocks"]
    one.ask("DELETE", f"/api/blocks/{blocks[0]['id']}")
    one.ask("POST", f"/api/tables/{shared}/remove", {"key": secrets.token_hex(8), "player": 1})
    endpoint = "https://push.example.org/abc"
    point = ec.generate_private_key(ec.SECP256R1()).public_key()
    public = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": _base64(public), "auth": _base64(secrets.token_bytes(16))}
    one.ask("GET", "/api/notices")
    one.ask("POST", "/api/notices", {"endpoint": endpoint, "keys": keys})
    one.ask("DELETE", "/api/notices", {"endpoint": endpoint})


def _ask_study(one: Asker, table: str) -> None:
    record = random_record("buffalo", SHORT_BUFFALO, 7).to_json()
    one.ask("POST", "/api/replay", record)
    one.ask("POST", "/api/analyse", {"table": table, "ply": 4, "lines": 2, "nodes": 2000})
    one.ask("POST", "/api/reviews", {"table": table})
    one.ask("POST", "/api/hints", {"table": _open_zoff(one.client)})
    one.ask("POST", "/api/buffalo/position", {"fen": Position.start().fen()})
    one.ask("POST", "/api/starts", {"table": table, "turn": 4})
    start = {"fen": Position.start().fen(), "moves": ["f7f6"]}
    one.ask("POST", "/api/buffalo/position", start)
    one.ask("POST", "/api/buffalo/explorer", start)
    one.ask("GET", "/api/pictures/buffalo.svg?fen=11/11/11/5b5/11/3DDCDD3/11%20b%20-%20-")
    zoff = random_record("zoff", {"edition": EDITION, "players": 2}, 5).to_json()
    one.ask("POST", "/api/zoff/advice", {"record": zoff, "turn": 2, "seat": 0})
    one.ask("GET", "/api/buffalo/reach")
    one.ask("GET", "/api/engines/buffalo")
    one.ask("GET", "/api/rules/buffalo/en")
    one.ask("POST", "/api/editions/check", {"toml": "format = 1"})
    one.ask("GET", "/api/lessons/buffalo/crossing")
    one.ask("GET", "/api/lessons/progress")
    one.ask("POST", "/api/lessons/progress", {"lessons": ["buffalo/crossing"]})
    one.ask("GET", "/api/solved/certificates/opening-abc-3")
    one.ask("POST", "/api/solved/play", {"start": "opening-abc-3", "moves": ["f2f3"]})
    one.ask("GET", "/api/puzzles/daily?day=2026-11-10")
    one.ask("GET", "/api/puzzles/next?theme=race&grade=2")
    one.ask("POST", "/api/puzzles/days", {"days": {"buffalo": {"2026-11-10": "solved"}}})
    one.ask("GET", "/api/puzzles/days")
    one.ask("GET", "/api/puzzles/rated")
    one.ask("GET", "/api/puzzles/rating")
    moves = one.ask("GET", "/api/puzzles/7")["moves"]
    start, ends = next(iter(moves.items()))
    one.ask("POST", "/api/puzzles/7/attempt", {"moves": [f"{start}{ends[0]}"]})
    one.ask("POST", "/api/puzzles/7/hint")
    one.ask("POST", "/api/puzzles/7/solution")
    one.ask("GET", "/api/puzzles/zoff")
    one.ask("GET", "/api/puzzles/zoff/next?players=3")
    one.ask("GET", "/api/puzzles/zoff/daily?day=2026-11-01")
    one.ask("GET", "/api/puzzles/zoff/rated")
    one.ask("GET", "/api/puzzles/zoff/rating")
    one.ask("GET", "/api/puzzles/zoff/3")
    action = one.ask("POST", "/api/puzzles/zoff/3/solution")["choices"][-1]["action"]
    one.ask("POST", "/api/puzzles/zoff/3/attempt", {"action": action})
    one.ask("POST", "/api/puzzles/zoff/3/hint")
    kept = f"records/{'0' * 32}"
    for name in ("home", "puzzles/daily", "puzzles/7", f"tables/{table}", kept):
        one.ask("GET", f"/api/pictures/{name}.svg")


def _open_zoff(client: httpx.Client) -> str:
    """Opens a table of Zoff against bots, and sits down there."""
    chairs: list[object] = [{}, {"bot": "random"}, {"bot": "random"}]
    body = {"key": secrets.token_hex(8), "game": "zoff", "chairs": chairs}
    sit = [{"player": 0, "name": "Etta"}]
    answer = client.post("/api/tables", json={**body, "sit": sit}).raise_for_status()
    return str(answer.json()["table"])


def _ask_leaving(one: Asker, table: str) -> None:
    one.ask("DELETE", f"/api/tables/mine/{table}")
    one.ask("DELETE", "/api/account")


def main() -> None:
    """Writes the examples of a fresh server."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(settings_for(Path(folder))) as base,
    ):
        found = ask_everything(base)
    text = json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True)
    EXAMPLES.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
