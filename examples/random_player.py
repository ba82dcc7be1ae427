"""An external program at a Stampede table: takes a seat with an invitation and plays at random. See docs/protocol.md.

    python examples/random_player.py http://localhost:8080 TABLE INVITATION

Needs the packages httpx and websockets, and nothing from Stampede. Replace `choose` to write your own player.
"""

import asyncio
import json
import random
import sys
import uuid
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed


def choose(legal: dict[str, Any]) -> Any:
    """Returns one of the actions that the view lists as legal."""
    if "moves" in legal:  # Buffalo: {"moves": {"a7": ["a6"], ...}}
        start = random.choice(list(legal["moves"]))
        return start + random.choice(legal["moves"][start])
    kind, some = legal["type"], random.sample
    if kind == "choose":  # Zoff: pairs of a pasture and a cow card
        many, colours = legal["pairs"], legal["colours"] or [None, None]
        places = (
            some(legal["pastures"], many)
            if len(legal["pastures"]) > 1
            else legal["pastures"] * many
        )
        pairs = zip(places, some(legal["cards"], many), colours, strict=False)
        return {"type": kind, "pairs": [[part for part in pair if part] for pair in pairs]}
    if kind == "settle":
        first, second = some(legal["colours"], 2)
        colours = dict(zip(legal["pastures"], (first, second, second), strict=True))
        return {"type": kind, "colours": colours}
    if kind == "bid":
        return {"type": kind, "bid": f"{float(legal['least']) + random.random():.4f}"}
    key = {"place": "cows", "bonus": "on", "pick": "colours"}[kind]
    return {"type": kind, key.rstrip("s") if kind == "pick" else key: random.choice(legal[key])}


async def play(server: str, table: str, invitation: str) -> None:
    """Takes a seat, plays until the game is over, and reconnects whenever the connection is lost."""
    claim = {"type": "claim", "name": "Random player", "program": True}
    body = {"key": uuid.uuid4().hex, "secret": uuid.uuid4().hex, "command": claim}
    headers = {"Authorization": f"Bearer {invitation}"}
    path = f"{server}/api/tables/{table}/commands"
    answer = httpx.post(path, json=body, headers=headers, timeout=60)
    seat = {"Authorization": f"Bearer {answer.raise_for_status().json()['token']}"}
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    async for socket in connect(address, additional_headers=seat):
        answered = None
        try:
            async for text in socket:
                message = json.loads(text)
                if message["type"] == "ping":
                    await socket.send('{"type": "pong"}')
                if message["type"] == "error":
                    print(message["message"])
                view = message.get("view")
                if view and view["phase"] == "over":
                    print(view["results"][-1])
                    return
                decision = view and view["decision"]
                if decision and view["you"] in decision["awaited"] and decision["id"] != answered:
                    answered = decision["id"]
                    act = {"type": "act", "player": view["you"], "decision": answered}
                    command = {**act, "action": choose(view["view"]["legal"])}
                    frame = {"type": "command", "key": uuid.uuid4().hex, "command": command}
                    await socket.send(json.dumps(frame))
        except ConnectionClosed:
            continue


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
