"""No route says anything about a running game between people, and no new route that could is forgotten here."""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import httpx
import pytest

from stampede.buffalo import Position
from stampede.matches.commands import Resign
from stampede.matches.settings import TableStart
from stampede.proofs.puzzles.puzzle import puzzle_numbered
from stampede.proofs.puzzles.zoff_puzzle import zoff_puzzle_numbered
from stampede.server.app import create_app
from stampede.server.solved.ladder import find_start
from stampede.server.study.board.advice import state_at
from stampede.server.study.fair_play import LONG_OPENING
from stampede.zoff import ZoffGame
from stampede.zoff.state import ZoffPhase
from tests.server.people import browsers
from tests.server.servers import running, settings_for
from tests.server.study.logs import WrittenTable, database_with, id_of, lead_up, token_of
from tests.server.study.test_fair_play import MOVES, forged, set_up
from tests.web.records import EDITION, random_record

pytestmark = pytest.mark.usefixtures("compiled")

TELLING: Final = {
    *("fen", "record", "moves", "start", "turn", "ply", "herds", "hands", "action", "actions"),
    *("setup", "table", "number"),
}
"""Names by which a request can name a state of a game."""
FREE: Final = {
    "POST /api/tables/{table_id}/commands": "a move at a table",
    "POST /api/replay": "shows a record, and says nothing about it",
    "POST /api/starts": "takes a record apart; POST /api/tables is asked with the result",
    "POST /api/buffalo/position": "the rules alone",
    "POST /api/buffalo/explorer": "the first four plies alone, which are free",
    "GET /api/pictures/buffalo.{kind}": "draws a board",
    "GET /api/pictures/puzzles/{number}.{kind}": "draws a puzzle",
    "GET /api/puzzles/{number}": "asks, and tells no move",
    "GET /api/puzzles/zoff/{number}": "asks, and tells no choice",
    "POST /api/puzzles/days": "which days were solved, and no position",
    "POST /api/blocks": "about people",
}
"""Requests that can name a state, and why they may be answered while people play it."""

PUZZLE: Final = 1
ZOFF_PUZZLE: Final = 1
PROOF: Final = "opening-abc-3"
ZOFF: Final = random_record("zoff", {"edition": EDITION, "players": 2}, 5)


def proof_moves() -> list[str]:
    """Moves from the start of a proof, until its winner has to answer."""
    start = find_start(PROOF)
    assert start is not None
    place, moves = start.position, list[str]()
    while len(moves) < 6 or place.turn is not start.winner:
        legal = [place.play(move) for move in place.legal_moves]
        ends = [after.is_over for after in legal]
        number = ends.index(False)
        moves.append(str(list(place.legal_moves)[number]))
        place = legal[number]
    return moves


def long_game() -> list[str]:
    """Moves of a game that is past every opening."""
    rng, place, moves = random.Random(11), Position.start(), list[str]()
    while len(moves) <= LONG_OPENING:
        moves.append(str(rng.choice(list(place.legal_moves))))
        place = place.play(moves[-1])
    return moves


def copied() -> WrittenTable:
    """A finished game of one device that goes just as the long one."""
    table = WrittenTable("copied", "buffalo").play(long_game())
    table.do(Resign(0), 0)
    return table


def zoff_turn() -> int:
    """A turn of the game of Zoff before the choice of its fourth round."""
    return next(
        turn
        for turn in range(len(ZOFF.actions))
        if (state := state_at(ZOFF, turn)).round == 4 and state.phase is ZoffPhase.CHOOSE
    )


def zoff_start(turn: int) -> TableStart:
    return TableStart(ZOFF.setup, ZOFF.actions[: len(ZOFF.actions) if turn < 0 else turn])


def people() -> list[WrittenTable]:
    """Running games between people."""
    proven, puzzle = find_start(PROOF), puzzle_numbered(PUZZLE)
    other = zoff_puzzle_numbered(ZOFF_PUZZLE)
    assert proven is not None
    fen, moves = lead_up(puzzle.position)
    solved = TableStart({"start": proven.position.fen()})
    record = other.record()
    asked = TableStart(record.setup, record.actions)
    return [
        WrittenTable("buffalo", "buffalo").play(MOVES),
        WrittenTable("long", "buffalo").play(long_game()),
        WrittenTable("zoff", "zoff", start=zoff_start(zoff_turn()), rules=ZOFF.rules),
        WrittenTable("proof", "buffalo", start=solved).play(proof_moves()),
        WrittenTable("puzzle", "buffalo", start=TableStart({"start": fen})).play(moves),
        WrittenTable("zoffpuzzle", "zoff", other.players, asked, rules=record.rules),
    ]


def alone() -> WrittenTable:
    """A game of one person against a bot, in the state of a game between people."""
    return WrittenTable("alone", "zoff", 1, zoff_start(zoff_turn()), bots=1, rules=ZOFF.rules)


Body = Mapping[str, Any] | None
Request = tuple[str, str, Body]


def opened(start: TableStart, game: str, rules: Mapping[str, Any]) -> Request:
    chairs = [{}, {"bot": "random"}]
    body = {"game": game, "rules": rules, "chairs": chairs, "key": f"key-of-{game}"}
    return ("POST", "/api/tables", {**body, "start": start.to_json()})


def zoff_record(**more: Any) -> Body:
    return {"record": ZOFF.to_json(), **more}


def puzzle_move() -> str:
    return str(puzzle_numbered(PUZZLE).solution)


def running_fen() -> str:
    fen: str = set_up(MOVES, "")["record"]["start"]
    return fen


def at_puzzle(what: str, body: Body = None) -> list[Request]:
    return [("POST", f"/api/puzzles/{PUZZLE}/{what}", body)]


def at_zoff_puzzle(what: str, body: Body = None) -> list[Request]:
    return [("POST", f"/api/puzzles/zoff/{ZOFF_PUZZLE}/{what}", body)]


def any_choice() -> Body:
    """Some answer to the puzzle of Zoff."""
    puzzle = zoff_puzzle_numbered(ZOFF_PUZZLE)
    game, state = ZoffGame(), puzzle.state()
    seat = game.to_act(state)[0]
    return {"action": game.write_action(next(iter(game.legal(state, seat))))}


ASKED: Final[Mapping[str, Callable[[], list[Request]]]] = {
    "POST /api/analyse": lambda: [
        ("POST", "/api/analyse", {"fen": running_fen(), "nodes": 2000}),
        ("POST", "/api/analyse", {**forged(MOVES), "nodes": 2000}),
    ],
    "POST /api/reviews": lambda: [
        ("POST", "/api/reviews", forged([*MOVES, "f2f3"])),
        ("POST", "/api/reviews", zoff_record()),
        ("POST", "/api/reviews", {"table": id_of("copied")}),
    ],
    "POST /api/zoff/advice": lambda: [
        ("POST", "/api/zoff/advice", zoff_record(turn=zoff_turn(), seat=0))
    ],
    "POST /api/tables": lambda: [
        opened(TableStart({"start": running_fen()}), "buffalo", {}),
        opened(zoff_start(zoff_turn()), "zoff", ZOFF.rules),
    ],
    "POST /api/hints": lambda: [("POST", "/api/hints", {"table": id_of("alone")})],
    "POST /api/solved/play": lambda: [
        ("POST", "/api/solved/play", {"start": PROOF, "moves": proof_moves()})
    ],
    "POST /api/puzzles/{number}/attempt": lambda: at_puzzle("attempt", {"moves": [puzzle_move()]}),
    "POST /api/puzzles/{number}/hint": lambda: at_puzzle("hint"),
    "POST /api/puzzles/{number}/solution": lambda: at_puzzle("solution"),
    "POST /api/puzzles/zoff/{number}/attempt": lambda: at_zoff_puzzle("attempt", any_choice()),
    "POST /api/puzzles/zoff/{number}/hint": lambda: at_zoff_puzzle("hint"),
    "POST /api/puzzles/zoff/{number}/solution": lambda: at_zoff_puzzle("solution"),
}
"""By route: requests about the running games."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that was started after these games were played, with room for two tables in its memory."""
    folder = tmp_path_factory.mktemp("leaks")
    short = WrittenTable("short", "buffalo").play(MOVES)
    short.do(Resign(0), 0)
    database_with(folder, *people(), alone(), copied(), short)
    with running(settings_for(folder, max_tables=2)) as address:
        yield address


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same after all games between people have ended."""
    folder = tmp_path_factory.mktemp("later")
    tables = people()
    for table in tables:
        table.close()
    database_with(folder, *tables, alone())
    with running(settings_for(folder)) as address:
        yield address


def ask(client: httpx.Client, request: Request) -> tuple[int, str]:
    """The status, and the code of a problem."""
    method, path, body = request
    headers = {"Authorization": f"Bearer {token_of('alone', 0)}"} if path == "/api/hints" else {}
    answer = client.request(method, path, json=body, headers=headers)
    lines = answer.text.splitlines()
    return answer.status_code, answer.json().get("error", "") if len(lines) == 1 else ""


@pytest.mark.parametrize("route", ASKED)
def test_no_route_tells_anything_about_a_running_game_between_people(
    server: str, route: str
) -> None:
    with browsers(server, 1) as (stranger,):
        for request in ASKED[route]():
            assert ask(stranger, request) == (403, "no_hints"), request


def test_a_finished_game_that_began_like_a_running_one_is_reviewed(server: str) -> None:
    with browsers(server, 1) as (stranger,):
        body = {"table": id_of("short")}
        with stranger.stream("POST", "/api/reviews", json=body) as answer:
            assert answer.status_code == 200
            assert json.loads(next(answer.iter_lines()))["type"] == "start"


@pytest.mark.parametrize("route", [route for route in ASKED if "reviews" not in route])
def test_the_same_is_answered_when_the_games_are_over(later: str, route: str) -> None:
    """Else the other test would prove nothing: these requests can be answered."""
    with browsers(later, 1) as (stranger,):
        for request in ASKED[route]():
            status, code = ask(stranger, request)
            assert (status < 300, code) == (True, ""), request


def test_every_route_that_can_be_told_a_state_is_tried_or_has_a_reason() -> None:
    """A new route fails here until it is in one of the two lists."""
    api = create_app().openapi()
    schemas = api["components"]["schemas"]
    found = {
        f"{method.upper()} {path}"
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
        if TELLING & names_in(operation, schemas)
        or (method == "post" and path.startswith(("/api/puzzles", "/api/solved")))
    }
    assert found == set(ASKED) | set(FREE)
    assert not set(ASKED) & set(FREE)


def names_in(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> set[str]:
    """All names that a request may use: parameters, and keys of its body at any depth."""
    names = {parameter["name"] for parameter in operation.get("parameters", ())}
    known: set[str] = set()

    def collect(schema: object) -> None:
        match schema:
            case {"$ref": str(reference)}:
                name = reference.rsplit("/", 1)[-1]
                if name not in known:
                    known.add(name)
                    collect(schemas[name])
            case dict():
                names.update(schema.get("properties", ()))
                for part in schema.values():
                    collect(part)
            case list():
                for part in schema:
                    collect(part)

    collect(operation.get("requestBody", {}))
    return names
