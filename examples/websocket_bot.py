"""Seats a bot at a server's table of Buffalo, over the WebSocket (docs/protocol.md).

    python examples/websocket_bot.py http://localhost:8080 TABLE INVITATION [BOT]

BOT is random, a level such as buffalo-3, or module:Class for one of your own. Needs httpx and websockets.
"""

import asyncio
import json
import random
import sys
from uuid import uuid4

import httpx
from websockets.asyncio.client import connect

import stampede


async def main(server: str, table: str, invitation: str, name: str = "random") -> None:
    """Takes a seat and plays until the game is over."""
    bot, rng, answered = stampede.bot(name, "buffalo"), random.Random(), None
    path = f"{server}/api/tables/{table}"
    claim = {"type": "claim", "name": bot.name, "program": True}
    headers = {"Authorization": f"Bearer {invitation}"}
    body = {"key": uuid4().hex, "command": claim}
    answer = httpx.post(f"{path}/commands", json=body, headers=headers).raise_for_status().json()
    headers = {"Authorization": f"Bearer {answer['token']}"}
    address = path.replace("http", "ws", 1) + "/socket"
    async with connect(address, additional_headers=headers) as socket:
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "ping":
                await socket.send('{"type": "pong"}')
            view = message.get("view") or {"phase": None, "decision": None}
            if view["phase"] == "over":
                print(view["results"][-1])
                return
            decision = view["decision"]
            if decision and view["you"] in decision["awaited"] and decision["id"] != answered:
                answered = decision["id"]
                game = stampede.new_game("buffalo", start=view["view"]["fen"])
                move = bot.choose(game.view(game.to_act[0]), rng)
                act = {"type": "act", "player": view["you"], "decision": answered}
                frame = {"type": "command", "key": uuid4().hex}
                await socket.send(json.dumps({**frame, "command": {**act, "action": str(move)}}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
