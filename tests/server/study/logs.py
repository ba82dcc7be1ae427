"""Running games between people, written into a database as logs: nobody has them in memory."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from stampede.buffalo import Move, Position
from stampede.core.json import Json, JsonObject, canonical
from stampede.matches import SYSTEM, Caller, ChairPlan, Entry, Table, TableSettings, digest_of
from stampede.matches.commands import Act, Claim, Close, Command, Open
from stampede.matches.entries import fingerprint_of
from stampede.matches.settings import TableStart, fill_settings
from stampede.server.runtime import wall_milliseconds
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.listing import listing_of
from stampede.store import Append, Store
from tests.server.servers import settings_for

START = wall_milliseconds()
WIDTH = 11
SECRET = "5ec2e7" + "0" * 58


def id_of(table: str) -> str:
    """The id of a table that a test calls so."""
    return f"{table:x<22}"


def token_of(table: str, player: int) -> str:
    """The token of a seat."""
    return f"seat-token-{table}-{player}-xxxxxxxxxxxxxxxx"


class WrittenTable:
    """A table at which people sit, as its log; a game may begin in the middle, which no request can ask for."""

    def __init__(
        self,
        table: str,
        game: str,
        players: int = 2,
        start: TableStart | None = None,
        *,
        bots: int = 0,
        rules: JsonObject | None = None,
    ) -> None:
        chairs = (*(ChairPlan(),) * players, *(ChairPlan("random"),) * bots)
        plan = TableSettings(game, rules or {}, chairs, public=True, start=start)
        settings = fill_settings(CATALOGUE, plan)
        command = Open(id_of(table), settings, "host", SECRET, digest_of("invitation"))
        first = Entry(1, START, "g:host", "open", fingerprint_of(command), command)
        self.name = table
        self.entries = [first]
        self.written, self.chain = 0, ""
        self.table = Table.rebuild(CATALOGUE, self.entries)
        for player in range(players):
            digest = digest_of(token_of(table, player))
            self.do(Claim(player, f"P{player}", digest, False, ""), player)

    def do(self, command: Command, player: int) -> None:
        """A player does something."""
        self._do(command, Caller(f"{self.table.state.table}-{player}"))

    def close(self) -> None:
        """The table is closed; its game is over."""
        self._do(Close(), SYSTEM)

    def _do(self, command: Command, caller: Caller) -> None:
        at = START + len(self.entries)
        decided = self.table.decide(command, caller, f"k{len(self.entries)}", at)
        for entry in decided.entries:
            self.entries.append(entry)
            self.table.apply(entry)

    def act(self, player: int, action: Json) -> None:
        """A player answers the present decision."""
        self.do(Act(player, self.table.state.running.decision_id, action), player)

    def play(self, moves: Sequence[str]) -> "WrittenTable":
        """Moves of Buffalo, each by whose turn it is."""
        for move in moves:
            match = self.table.state.running
            (seat,) = self.table.spec.game.to_act(match.state)
            self.act(match.seating[seat], move)
        return self


async def write(store: Store, table: WrittenTable) -> None:
    """Writes what a table's log has, and isn't written yet, with its listing."""
    for entry in table.entries[table.written :]:
        last = entry is table.entries[-1]
        listing = listing_of(table.table.state) if last else None
        payload = canonical(entry.to_json())
        append = Append(id_of(table.name), entry.seq, (payload,), listing, previous=table.chain)
        await store.append(append)
        table.chain = append.chains[-1]
    table.written = len(table.entries)


def database_with(folder: Path, *tables: WrittenTable) -> None:
    """Makes the database of a server that is started with `settings_for` this folder."""

    async def scenario() -> None:
        store = await Store.open(str(settings_for(folder).database_url))
        for table in tables:
            await write(store, table)
        await store.close()

    asyncio.run(scenario())


def lead_up(position: Position) -> tuple[str, list[str]]:
    """A FEN, and six moves from there to a position with the same pieces on the same squares.

    Three steps of buffaloes are taken back, and a dog goes on a tour that ends where it began.
    """
    buffaloes, steps = list[int](position.buffaloes), list[str]()
    for _ in range(3):
        taken = {*buffaloes, *position.dogs, position.chief}
        behind = [square + WIDTH for square in buffaloes]
        index = next(n for n, square in enumerate(behind) if square < 77 and square not in taken)
        steps.insert(0, f"{name_of(behind[index])}{name_of(buffaloes[index])}")
        buffaloes[index] = behind[index]
    fen = fen_of(buffaloes, position.chief, position.dogs)
    found = _tour(Position.from_fen(fen), steps, set(position.dogs))
    assert found is not None, "a dog has somewhere to go"
    return fen, found


def _tour(now: Position, steps: list[str], home: set[int]) -> list[str] | None:
    if not steps:
        return [] if set(now.dogs) == home else None
    if Move.parse(steps[0]) not in now.legal_moves:  # the dog stands in the way
        return None
    place = now.play(steps[0])
    for move in place.legal_moves:
        if move.from_square in place.dogs:
            rest = _tour(place.play(move), steps[1:], home)
            if rest is not None:
                return [steps[0], str(move), *rest]
    return None


def name_of(square: int) -> str:
    """A square as text."""
    return f"{'abcdefghijk'[square % WIDTH]}{square // WIDTH + 1}"


def fen_of(buffaloes: Sequence[int], chief: int, dogs: Sequence[int]) -> str:
    """The FEN of a position with the buffalo side to move."""
    ranks = []
    for rank in reversed(range(7)):
        row = ""
        for square in range(rank * WIDTH, rank * WIDTH + WIDTH):
            if square in buffaloes:
                row += "b"
            elif square in dogs:
                row += "D"
            else:
                row += "C" if square == chief else "."
        for length in range(WIDTH, 0, -1):
            row = row.replace("." * length, str(length))
        ranks.append(row)
    return f"{'/'.join(ranks)} b - - 0 1"
