"""Players never receive a byte that they may not have: sealed choices, played cow cards, tokens, seeds.

Two ways of looking. What differs only in a secret must send the same bytes to everybody else. And everything that was
ever sent, in whole games, is searched for what its receiver may not know.
"""

import asyncio
import json
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulation.choices import choose_action
from stampede.core.json import Json
from stampede.matches.callers import SYSTEM, Caller, digest_of
from stampede.matches.commands import Act, Claim, Open
from stampede.matches.settings import TableSettings
from stampede.matches.table import Table, open_table
from stampede.server.http.identity import Signer
from stampede.server.tables.games import CATALOGUE
from tests.server.clients import Guest, Socket, guests
from tests.server.servers import ServerProcess, running, settings_for

SECRET = "5" * 64
NOON = 1_700_000_000_000


# --- the same bytes, whatever the secret ---


async def told_before_reveal(base: str, rounds: int, secret: str) -> tuple[list[list[str]], str]:
    """Plays the same game until the last choice of a round is missing; seat 0's last choice is drawn from a secret.

    Returns:
        What was sent to seats 1 and 2, to a spectator, and what was acknowledged to seat 0; and what seat 0 chose.
    """
    async with guests(base, 4) as people:
        signer = Signer(SECRET.encode())
        for number, person in enumerate(people):
            person.client.cookies.clear()
            person.client.cookies.set("stampede_guest", signer.sign(f"g{number}"))
        opened = await people[0].open("zoff", [{}] * 3, key="open")
        table = opened["table"]
        for seat, person in enumerate(people[:3]):
            await person.claim(table, seat, f"P{seat}", opened["invite"])
        acks: list[str] = []
        async with (
            people[0].socket(table) as zero,
            people[1].socket(table) as one,
            people[2].socket(table) as two,
            people[3].socket(table) as watcher,
        ):
            seats = [zero, one, two]
            rngs = [random.Random(seat) for seat in range(3)]
            await asyncio.gather(*(socket.next() for socket in (*seats, watcher)))
            while True:
                view = zero.view["view"]
                last = view["phase"] == "choose" and view["round"] == rounds
                if last and zero.asked:
                    rngs[0] = random.Random(secret)
                if last and not zero.asked and not one.asked:
                    break
                mover = next(seat for seat in range(3) if seats[seat].asked)
                await step(seats[mover], [*seats, watcher], rngs[mover], acks if last else [])
        return [person.got for person in people[1:]] + [acks], json.dumps(
            zero.view["view"]["answer"]
        )


async def step(
    mover: Socket, all_of_them: list[Socket], rng: random.Random, acks: list[str]
) -> None:
    """One action; everybody waits until they have been told, so that the order is always the same."""
    ack = await mover.act(choose_action(mover.view["view"]["legal"], rng))
    if mover.view["you"] == 0:
        acks.append(json.dumps(ack))
    for socket in all_of_them:
        while socket.view["seq"] < ack["seq"]:
            await socket.next()


@pytest.mark.parametrize("rounds", [1, 3])
def test_a_sealed_choice_changes_no_byte_that_others_get(tmp_path: Path, rounds: int) -> None:
    """Z3.4: until the reveal nothing of a choice can be learnt but that it has been made."""
    told = []
    choices = set()
    for number, secret in enumerate(("one", "another", "third")):
        folder = tmp_path / str(number)
        folder.mkdir()
        settings = settings_for(folder, secret=SECRET)
        still = {"now": lambda: NOON, "monotonic": lambda: 0.0}
        with running(settings, **still, entropy=lambda size: b"5" * size) as base:  # type: ignore[arg-type]
            sent, choice = asyncio.run(told_before_reveal(base, rounds, secret))
        told.append(sent)
        choices.add(choice)
    assert len(choices) == 3, "the choices did differ"
    assert told[0] == told[1] == told[2]
    assert all(len(sent) >= 3 for sent in told[0][:3]), "everybody was told something"
    assert len(told[0][3]) == 1, "and seat 0 got its acknowledgement"


def test_a_bot_s_input_doesn_t_depend_on_what_others_have_sealed() -> None:
    """Z3.4: bots are given their seat's view, and a seed that knows nothing of others."""

    def request(choice: random.Random) -> tuple[object, int]:
        chairs: list[Any] = [{}, {}, {"bot": "random"}]
        rules: dict[str, Json] = {"edition": "fx-schmid-1998-r1", "players": 3}
        settings = TableSettings.from_json({"game": "zoff", "rules": rules, "chairs": chairs})
        opening = Open("t", settings, "ann", SECRET)
        decided = open_table(CATALOGUE, opening, Caller("ann"), "k", NOON)
        table = Table.rebuild(CATALOGUE, decided.entries)
        claim = Claim(0, "Ann", "")
        table.apply(table.decide(claim, Caller("ann"), "c", NOON).entries[0])
        invited = Claim(1, "Ben", digest_of("x"))
        table.apply(table.decide(invited, SYSTEM, "c", NOON).entries[0])
        legal = table.view_for(0).to_json()["view"]["legal"]  # type: ignore[index, call-overload]
        act = Act(0, "1.1", choose_action(legal, choice))
        table.apply(table.decide(act, Caller("ann"), "a", NOON).entries[0])
        (found,) = table.bot_requests()
        return found.view.to_json(), found.seed

    assert request(random.Random(1)) == request(random.Random(2))


# --- everything that was sent, searched ---


def texts_of(value: object) -> Iterator[str]:
    """Every text in a JSON value, keys included."""
    match value:
        case str():
            yield value
        case dict():
            for name, item in value.items():
                yield name
                yield from texts_of(item)
        case list():
            for item in value:
                yield from texts_of(item)
        case _:
            pass


def forbidden_cards(view: dict[str, Any], played: list[set[str]]) -> set[str]:
    """The cow cards that may not be in a message, as far as they can't be there for another reason."""
    game = view["view"]
    earlier = set().union(*played[: game["round"] - 1])
    now = played[game["round"] - 1] if game["phase"] == "choose" else set()
    own = {*game["hand"], *texts_of(game["answer"])}
    shown = {pair["card"] for pair in game["laid"]}
    return (earlier | now) - own - shown


def played_by_round(record: dict[str, Any]) -> list[set[str]]:
    """The cow cards that were played in each round, from the record of the finished game."""
    choices = [step for step in record["actions"] if step["type"] == "choose"]
    players = record["rules"]["players"]
    rounds = [choices[start : start + players] for start in range(0, len(choices), players)]
    return [{pair[1] for step in steps for pair in step["pairs"]} for steps in rounds]


async def leaky_game(
    base: str, variant: dict[str, bool]
) -> tuple[list[Guest], dict[str, Any], list[str]]:
    """A whole game of three people and a bot before a spectator, all of whom ask for everything all the time."""
    async with guests(base, 4) as people:
        opened = await people[0].open("zoff", [{}, {}, {}, {"bot": "random"}], rules=variant)
        table = opened["table"]
        tokens = [opened["invite"]]
        for seat, person in enumerate(people[:3]):
            ack = await person.claim(table, seat, f"P{seat}", opened["invite"])
            tokens.append(ack["token"])
            link = await person.send(table, {"type": "seat_link", "player": seat})
            tokens.append(link.json()["token"])
        people[0].got.clear()  # what was their own to know
        for person in people:
            person.got.clear()
        await asyncio.gather(*(curious(person, table, seat) for seat, person in enumerate(people)))
        await people[3].request("GET", f"/api/tables/{table}/record")
        record = json.loads(people[3].got.pop().partition(" ")[2])
        return people, record, tokens


async def curious(person: Guest, table: str, seat: int) -> None:
    """Plays, if they have a seat, and looks wherever they can."""
    rng = random.Random(seat)
    async with person.socket(table, since=0) as socket:
        await socket.next()
        while socket.view["phase"] != "over":
            if socket.view["seq"] % 4 == seat:
                await person.request("GET", f"/api/tables/{table}/events?after=0")
                await person.request("GET", f"/api/tables/{table}/record")
                await person.request("GET", f"/api/tables/{table}?player={(seat + 1) % 3}")
            if seat < 3 and socket.asked:
                legal = socket.view["view"]["legal"]
                await socket.act({"type": "choose", "pairs": []})
                await socket.act(choose_action(legal, rng))
            else:
                await socket.next()


@pytest.mark.parametrize(
    "variant",
    [
        {},
        {"auction": True, "fair": True},
        {"auction": True, "rebid_among_tied": True, "must_place": True, "last_cow_counts": True},
    ],
    ids=["plain", "variants", "house rules"],
)
def test_whole_games_send_nothing_that_a_viewer_may_not_know(
    tmp_path: Path, variant: dict[str, bool]
) -> None:
    """Z6.1, Z3.4: cow cards of earlier rounds and sealed choices; and tokens, ids, seeds; in the log, too."""
    server = ServerProcess(tmp_path)
    try:
        people, record, tokens = asyncio.run(leaky_game(server.base, variant))
    finally:
        server.stop()
    played = played_by_round(record)
    checked = 0
    for person in people:
        views = views_by_number(person.got)
        checked += sum(check_text(text, played, views) for text in person.got)
    assert checked > 100, "there were messages to look at"
    never = set(tokens) | secrets_of(tmp_path / "tables.db")
    until_the_end = {record["meta"]["deal"]["seed"], record["meta"]["deal"]["nonce"]}
    for person in people:
        for text in person.got:
            assert not [secret for secret in never if secret in text]
            if '"phase":"over"' not in text and '"result":{' not in text:
                assert not [secret for secret in until_the_end if secret in text]
    log = server.log.read_text()
    assert "GET /api/tables/" in log, "requests are logged in this test"
    assert not [secret for secret in never | until_the_end if secret in log]


def data_of(text: str) -> dict[str, Any]:
    """What a message or an answer said."""
    data: dict[str, Any] = json.loads(text if text.startswith("{") else text.partition(" ")[2])
    return data


def views_by_number(got: list[str]) -> dict[int, dict[str, Any]]:
    """A viewer's views, by the number of the entry that they know of."""
    views = [data_of(text).get("view") for text in got]
    return {view["seq"]: view for view in views if view}


def check_text(text: str, played: list[set[str]], views: dict[int, dict[str, Any]]) -> bool:
    """Searches one message or answer; returns whether there was something to look for."""
    data = data_of(text)
    view = data.get("view") or views.get(data.get("seq", -1))
    if not view or not view.get("view") or view["phase"] == "over":
        return False
    forbidden = forbidden_cards(view, played)
    if data.get("type") == "update":
        data = without_live_events(data, views)
    found = forbidden & set(texts_of(data))
    assert not found, f"round {view['view']['round']}: {found} in {text[:300]}"
    assert not [card for card in forbidden if f'"{card}"' in json.dumps(data)]
    return bool(forbidden)


def without_live_events(data: dict[str, Any], views: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """An update without what has just happened: that is seen, also if it ends a round, but it is of no earlier one."""
    messages = []
    for message in data["messages"]:
        before = views.get(message["seq"] - 1, {}).get("view")
        rounds = {event["round"] for event in message["events"] if "round" in event}
        assert before is None or all(number >= before["round"] for number in rounds)
        messages.append({**message, "events": []})
    return {**data, "messages": messages}


def secrets_of(database: Path) -> set[str]:
    """All that only the server may know: the tables' secrets, digests, guests' ids, the signing key."""
    connection = sqlite3.connect(database)
    entries = [json.loads(row[0]) for row in connection.execute("SELECT payload FROM entries")]
    (key,) = connection.execute(
        "SELECT value FROM store_values WHERE name='signing_key'"
    ).fetchone()
    connection.close()
    found = {key}
    for entry in entries:
        command = entry["command"]
        found |= {
            command[name] for name in ("secret", "digest", "invite", "host") if command.get(name)
        }
        found |= {entry["who"].partition(":")[2]} - {""}
    assert len(found) > 8
    return found
