"""Players behind a WebSocket: the tournament connects to them and is their table.

The frames are those of a table's socket (docs/protocol.md), so that a program for the server's tables needs the same
loop here; only the connection is opened by the other side. `docs/tournaments.md` lists the keys that are sent.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from importlib import import_module
from typing import Any, Final

from stampede.core.errors import InputError
from stampede.core.extras import require
from stampede.core.game import Seat
from stampede.core.json import Json, JsonObject
from stampede.core.playthrough import AnyPlaythrough
from stampede.lab.arena.answers import PlayerFault

__all__ = ["RemotePlayer"]

USUAL_SECONDS: Final = 60.0
"""How long an answer may take if the player has no budget in seconds."""
CONNECT_SECONDS: Final = 20.0
LARGEST_ANSWER: Final = 1 << 14
"""Bytes of a frame; the same as at a server's table."""


class RemotePlayer:
    """A program that plays over a WebSocket: a connection for each seat of each game."""

    needs_compiled_code: Final = False

    def __init__(self, url: str, seconds: float | None, grace: float) -> None:
        """Makes a player; connections are opened when games begin.

        Raises:
            InputError: It is no address of a WebSocket.
        """
        if not url.startswith(("ws://", "wss://")):
            raise InputError(f"expected ws:ws://HOST:PORT or ws:wss://HOST, got ws:{url}")
        require("websockets")
        self._url = url
        self._wait = (seconds or USUAL_SECONDS) + grace
        # A connection for each seat, and what closes it. The library is an extra, loaded when a player needs it.
        self._lines: dict[Seat, tuple[Any, ExitStack]] = {}
        self._told: dict[Seat, int] = {}

    def begin(self, played: AnyPlaythrough, seat: Seat, seed: str) -> None:
        """Connects, and shows the table to the player."""
        del seed  # the program's own affair
        self._hang_up(seat)
        client = import_module("websockets.sync.client")
        ending = ExitStack()
        try:
            line = ending.enter_context(
                client.connect(self._url, open_timeout=CONNECT_SECONDS, max_size=LARGEST_ANSWER)
            )
        except Exception as error:  # the library's own errors, and those of the network
            raise PlayerFault(f"can't be reached at {self._url}: {_words(error)}") from error
        self._lines[seat] = line, ending
        self._told[seat] = 0
        self._show(played, seat, "welcome")

    def act(self, played: AnyPlaythrough, seat: Seat) -> Any:
        """Shows the table as the seat sees it, and waits for its command."""
        self._show(played, seat, "update", ask=True)
        return self._answer(seat, len(played.turns))

    def end(self, played: AnyPlaythrough, seat: Seat) -> None:
        """Shows how the game ended, and hangs up. A player that is gone by then has missed nothing."""
        try:
            self._show(played, seat, "update")
        except PlayerFault:
            return
        finally:
            self._hang_up(seat)

    def close(self) -> None:
        """Ends all connections."""
        for seat in list(self._lines):
            self._hang_up(seat)

    def _hang_up(self, seat: Seat) -> None:
        if seat in self._lines:
            self._lines.pop(seat)[1].close()

    def _show(self, played: AnyPlaythrough, seat: Seat, kind: str, *, ask: bool = False) -> None:
        """Sends the seat's view, and the events since it was last shown; asks for an action or doesn't."""
        fresh = [event for turn in played.turns[self._told[seat] :] for event in turn.events]
        self._told[seat] = len(played.turns)
        outcome = played.outcome
        events = played.game.redact(fresh, played.state, seat)
        decision: JsonObject = {"id": len(played.turns), "awaited": list(played.to_act)}
        results: list[Json] = []
        if outcome is not None:
            results.append({"winners": list(outcome.winners), "reason": outcome.reason})
        self._send(
            seat,
            {
                "type": kind,
                "seq": len(played.turns),
                "messages": [{"events": [event.to_json() for event in events]}],
                "view": {
                    "game": played.game.name,
                    "rules": played.game.write_rules(played.rules),
                    "phase": "over" if outcome else "playing",
                    "you": seat,
                    "decision": decision if ask else None,
                    "results": results,
                    "view": played.view(seat).to_json(),
                },
            },
        )

    def _send(self, seat: Seat, message: JsonObject) -> None:
        if seat not in self._lines:
            raise PlayerFault("went away")
        try:
            self._lines[seat][0].send(json.dumps(message))
        except Exception as error:
            raise self._gone(seat, error) from error

    def _answer(self, seat: Seat, decision: int) -> Any:
        """The action by which the player answers a decision. Pongs, and answers to earlier decisions, are skipped."""
        while True:
            try:
                text = self._lines[seat][0].recv(timeout=self._wait)
                frame = json.loads(text, parse_constant=_refuse)
            except TimeoutError:
                self._hang_up(seat)
                raise PlayerFault(f"hung: no answer within {self._wait:g} s") from None
            except ValueError as error:
                raise PlayerFault(f"expected JSON, got something else: {error}") from error
            except Exception as error:
                raise self._gone(seat, error) from error
            if isinstance(frame, dict) and frame.get("type") == "pong":
                continue
            command = frame.get("command") if isinstance(frame, dict) else None
            if not isinstance(command, dict) or command.get("type") != "act":
                raise PlayerFault(f"expected a command of type act, got {str(frame)[:80]}")
            if "action" not in command or not isinstance(command.get("decision"), int):
                raise PlayerFault(f"expected decision and action, got {str(command)[:80]}")
            if command["decision"] == decision:
                self._send(seat, {"type": "ack", "key": frame.get("key"), "seq": decision})
                return command["action"]

    def _gone(self, seat: Seat, error: Exception) -> PlayerFault:
        self._hang_up(seat)
        return PlayerFault(f"went away: {_words(error)}")


def _refuse(constant: str) -> None:
    raise ValueError(f"expected a number of JSON, got {constant}")


def _words(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
