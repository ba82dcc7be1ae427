"""A table being played at in a test: its log, its clock on the wall, and hands for every player."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from stampede.core.json import Json, JsonObject, canonical
from stampede.core.reading import read_as
from stampede.matches import (
    SYSTEM,
    Ack,
    Caller,
    ChairPlan,
    Clock,
    Decided,
    Entry,
    Table,
    TableSettings,
    digest_of,
    open_table,
)
from stampede.matches.commands import Act, Claim, Command, Open, Vote, VoteTopic
from stampede.matches.state import Phase
from tests.matches.adapters import CATALOGUE

SECRET = "5ec2e7" + "0" * 58
HOST = Caller("guest-host")
START = 1_000_000


def zoff_rules(players: int = 3, **variants: bool) -> JsonObject:
    return {"edition": "fx-schmid-1998-r1", "players": players, **variants}


BUFFALO_RULES: JsonObject = {"removed": [], "opening_moves": 1}


def token_of(player: int) -> str:
    return f"seat-token-of-{player}-xxxxxxxxxxxxxxxx"


def person(player: int) -> Caller:
    """The guest of a player's chair."""
    return Caller(f"guest-{player}")


class Sitting:
    """A table with its log. Every entry goes through JSON on its way, as it does in a store."""

    def __init__(self, settings: TableSettings, *, seed: int = 0, host: str | None = None) -> None:
        self.rng = random.Random(seed)
        self.now = START
        self.keys = 0
        secret = f"{seed:064x}" if seed else SECRET
        command = Open("table-1", settings, host or HOST.guest, secret, digest_of("invitation"))
        self.log: list[Entry] = []
        self.table = self._opened(open_table(CATALOGUE, command, HOST, "open", self.now))

    def _opened(self, decided: Decided) -> Table:
        self.log.extend(decided.entries)
        return Table.rebuild(CATALOGUE, self.log)

    # --- commands ---

    def do(self, command: Command, caller: Caller, key: str | None = None) -> Ack:
        """Decides, keeps and applies a command, and returns its acknowledgement."""
        decided = self.table.decide(command, caller, key or self.new_key(), self.now)
        self.keep(decided)
        return decided.ack

    def keep(self, decided: Decided) -> None:
        """Brings entries into the log and applies what the log has."""
        for entry in decided.entries:
            text = canonical(entry.to_json())
            self.log.append(Entry.from_json(json.loads(text)))
            self.table.apply(entry)

    def new_key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    def sit(self, *players: int, program: bool = False) -> None:
        """Lets persons sit down on these chairs."""
        for player in players:
            name, token = f"Name{player}", token_of(player)
            caller = Caller(f"guest-{player}", "invitation")
            self.do(Claim(player, name, digest_of(token), program, f"salt{player}"), caller)

    def act(self, player: int, action: Json = None, *, key: str | None = None) -> Ack:
        """A person acts; without an action, by chance."""
        chosen = self.any_action(player) if action is None else action
        return self.do(Act(player, self.decision, chosen), person(player), key)

    def vote(self, on: VoteTopic, *players: int, agree: bool = True, **more: Any) -> None:
        for player in players:
            decision = self.decision if on is VoteTopic.UNDO else ""
            self.do(Vote(player, on, agree, decision, **more), person(player))

    def wait(self, milliseconds: int) -> None:
        """Time goes by, and clocks that have run out are dealt with."""
        self.now += milliseconds
        decided = self.table.expire(self.now)
        if decided is not None:
            self.keep(decided)

    # --- what is so ---

    @property
    def phase(self) -> str:
        return self.table.state.phase.value

    @property
    def decision(self) -> str:
        return self.table.state.running.decision_id

    @property
    def game_state(self) -> Any:
        return self.table.state.running.state

    def awaited(self) -> tuple[int, ...]:
        decision = self.table.view_for(None).decision
        return () if decision is None else decision.awaited

    def any_action(self, player: int) -> Json:
        game, match = self.table.spec.game, self.table.state.running
        legal = game.legal(match.state, match.seat_of(player))
        action: Json = game.write_action(legal.sample(self.rng))
        return action

    def bots_act(self) -> None:
        """Lets all bots act until none is asked."""
        while requests := self.table.bot_requests():
            for request in requests:
                if request in self.table.bot_requests():
                    self.do(request.command(self.table.fallback(request)), SYSTEM, request.key)

    def step(self) -> None:
        """Bots act, then one person who is awaited."""
        self.bots_act()
        waiting = [p for p in self.awaited() if not self.table.state.chairs[p].by_bot]
        if waiting and self.table.state.phase is Phase.PLAYING:
            self.act(self.rng.choice(waiting))

    def play_until(self, done: Callable[[], bool]) -> None:
        while not done():
            assert self.table.state.phase is Phase.PLAYING, "the game ended too early"
            self.step()

    def play_out(self) -> None:
        """Plays the running game to its end."""
        while self.table.state.phase is Phase.PLAYING:
            self.step()

    # --- the log ---

    def rebuilt(self) -> Table:
        return Table.rebuild(CATALOGUE, self.log)

    def check_log(self) -> None:
        """What the log makes is what is on the table."""
        assert_same(self.rebuilt(), self.table)
        assert [entry.seq for entry in self.log] == list(range(1, len(self.log) + 1))


def assert_same(one: Table, other: Table) -> None:
    assert one.state == other.state
    assert one._messages._logged == other._messages._logged
    assert one._done == other._done


def bytes_for(table: Table, viewer: int | None) -> str:
    """All that a viewer can get of a table now: the view and everything that is told again."""
    messages = [message.to_json() for message in table.messages(viewer)]
    return canonical({"view": table.view_for(viewer).to_json(), "messages": messages})


def zoff(players: int = 3, bots: int = 0, *, seed: int = 0, **settings: Any) -> Sitting:
    """A table of Zoff; the last chairs are bots', the others open."""
    rules = settings.pop("rules", zoff_rules(players))
    chairs = (*(ChairPlan() for _ in range(players - bots)), *(ChairPlan("random"),) * bots)
    return Sitting(TableSettings("zoff", rules, chairs, **settings), seed=seed)


def buffalo(bots: int = 0, *, seed: int = 0, **settings: Any) -> Sitting:
    """A table of Buffalo; the hunter may be a bot."""
    chairs = (*(ChairPlan() for _ in range(2 - bots)), *(ChairPlan("random"),) * bots)
    return Sitting(TableSettings("buffalo", BUFFALO_RULES, chairs, **settings), seed=seed)


def clock(kind: str, limit: int, expiry: str = "bot", **more: Json) -> Clock:
    """A clock as old tables have it: without grace, and a bot stands in at once."""
    old: JsonObject = {"lapses": 1, "grace": False, **more}
    return read_as(Clock, {"kind": kind, "limit_ms": limit, "expiry": expiry, **old})
