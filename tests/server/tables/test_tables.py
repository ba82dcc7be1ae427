"""Tables over HTTP and sockets: who may do what, what is answered, and that a retry changes nothing."""

import asyncio
import json
import random
from pathlib import Path

import pytest

from simulation.choices import choose_action
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.matches.fair import verify_deal
from tests.server.clients import Guest, closed, guests
from tests.server.servers import running, settings_for

BOT = {"bot": "random"}
ZOFF = [
    (players, variants)
    for players, variants in [(2, ""), (3, "fair"), (5, ""), (6, "auction"), (2, "auction fair")]
]


@pytest.mark.parametrize(("players", "variants"), ZOFF)
def test_zoff_is_played_to_its_end_and_dealt_as_committed(
    base: str, players: int, variants: str
) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            rules = dict.fromkeys(variants.split(), True)
            opened = await ann.open("zoff", [{}, *[BOT] * (players - 1)], rules=rules)
            committed = (await ann.look(opened["table"]))["view"]["next_deal"]["commitment"]
            await ann.claim(opened["table"], 0, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.play(random.Random(players))
            await check_record(ann, opened["table"], committed)

    asyncio.run(scenario())


async def check_record(guest: Guest, table: str, commitment: str) -> None:
    response = await guest.request("GET", f"/api/tables/{table}/record")
    record = GameRecord.loads(response.text)
    game = game_named(record.game).game
    replay(game, record)
    verify_deal(game, record, commitment)


@pytest.mark.parametrize("side", [0, 1])
def test_buffalo_is_played_to_its_end_by_either_side(base: str, side: int) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            chairs = [{}, BOT] if side == 0 else [BOT, {}]
            opened = await ann.open("buffalo", chairs)
            await ann.claim(opened["table"], side, "Ann")
            async with ann.socket(opened["table"]) as socket:
                await socket.play(random.Random(side))
                assert socket.view["results"][0]["reason"] in ("crossed", "no_move")
            response = await ann.request("GET", f"/api/tables/{opened['table']}/record")
            replay(game_named("buffalo").game, GameRecord.loads(response.text))

    asyncio.run(scenario())


def test_friends_come_by_invitation_and_strangers_stay_out(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 3) as (ann, ben, eve):
            opened = await ann.open("zoff", [{}, {}, BOT], watch=False)
            table = opened["table"]
            await ann.claim(table, 0, "Ann")
            refused = await eve.send(table, {"type": "claim", "name": "Eve"})
            assert refused.status_code == 403
            assert (await eve.request("GET", f"/api/tables/{table}")).status_code == 404
            wrong = await eve.send(table, {"type": "claim", "name": "Eve"}, token="A" * 32)
            assert wrong.status_code == 403
            ack = await ben.claim(table, None, "Ben", opened["invite"])
            assert ack["player"] == 1
            assert (await ben.look(table))["view"]["phase"] == "playing"
            names = [item["table"] for item in (await listed(eve, "/api/tables?status=running"))]
            assert table not in names, "a private table isn't in the lobby"
            assert table in [item["table"] for item in await listed(ben, "/api/tables/mine")]

    asyncio.run(scenario())


async def listed(guest: Guest, path: str) -> list[dict[str, str]]:
    response = await guest.request("GET", path)
    tables: list[dict[str, str]] = response.json()["tables"]
    return tables


def test_public_tables_are_found_and_joined_without_a_token(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            opened = await ann.open("buffalo", [{}, {}], public=True)
            await ann.claim(opened["table"], 0, "Ann")
            found = await listed(ben, "/api/tables?status=open&game=buffalo")
            assert opened["table"] in [item["table"] for item in found]
            assert (await ben.claim(opened["table"], None, "Ben"))["player"] == 1
            gone = await listed(ben, "/api/tables?status=open&game=buffalo")
            assert opened["table"] not in [item["table"] for item in gone]

    asyncio.run(scenario())


def test_a_retry_gets_the_same_answer_and_changes_nothing(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, BOT], key="open-1", pace_ms=60_000)
            assert await ann.open("buffalo", [{}, BOT], key="open-1", pace_ms=60_000) == opened
            table = opened["table"]
            claim = {"type": "claim", "name": "Ann"}
            first = await ann.send(table, claim, key="claim-1")
            assert (await ann.send(table, claim, key="claim-1")).json() == first.json()
            decision = (await ann.look(table))["view"]["decision"]["id"]
            act = {"type": "act", "player": 0, "decision": decision, "action": "f7f6"}
            done = await ann.send(table, act, key="act-1")
            again = [await ann.send(table, act, key="act-1") for _ in range(3)]
            assert [response.json() for response in again] == [done.json()] * 3
            assert (await ann.look(table))["seq"] == done.json()["seq"]
            other = await ann.send(table, {**act, "action": "e7e6"}, key="act-1")
            assert (other.status_code, other.json()["error"]) == (409, "key_reused")

    asyncio.run(scenario())


def test_the_same_key_can_t_open_another_table(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            opened = await ann.open("buffalo", [{}, BOT], key="mine")
            body = {"key": "mine", "game": "buffalo", "chairs": [{}, {}], "pace_ms": 0}
            response = await ann.request("POST", "/api/tables", body)
            assert (response.status_code, response.json()["error"]) == (409, "key_reused")
            assert (await ben.open("buffalo", [{}, BOT], key="mine"))["table"] != opened["table"]

    asyncio.run(scenario())


def test_refusals_say_what_was_expected_and_change_nothing(base: str) -> None:
    """B2.2: a buffalo moves one square ahead; the clause comes with the refusal."""

    async def scenario() -> None:
        async with guests(base, 2) as (ann, eve):
            opened = await ann.open("buffalo", [{}, {}], public=True)
            table = opened["table"]
            await ann.claim(table, 0, "Ann")
            await eve.claim(table, 1, "Eve")
            before = await ann.look(table)
            decision = before["view"]["decision"]["id"]
            act = {"type": "act", "player": 0, "decision": decision, "action": "f7f6"}
            cases = [
                (ann, {**act, "decision": "0.0"}, 409, "stale"),
                (eve, {**act, "player": 1, "action": "d2d3"}, 409, "not_awaited"),
                (eve, act, 403, "forbidden"),
                (ann, {**act, "action": "f7f5"}, 422, "illegal"),
                (ann, {**act, "action": "nonsense"}, 422, "invalid"),
                (ann, {**act, "action": {"a": [1, None]}}, 422, "invalid"),
                (ann, {**act, "player": 5}, 422, "invalid"),
                (ann, {"type": "start"}, 409, "wrong_phase"),
                (eve, {"type": "close"}, 403, "forbidden"),
                (ann, {"type": "dance"}, 422, "invalid"),
            ]
            for guest, command, status, code in cases:
                response = await guest.send(table, command)
                assert (response.status_code, response.json()["error"]) == (status, code), command
                if status == 409:
                    assert response.json()["view"]["decision"]["id"] == decision
                    assert response.json()["awaited"] == [0]
                if code == "illegal":
                    assert response.json()["clause"].startswith("B2.")
            assert (await ann.look(table))["view"] == before["view"]

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/tables/" + "A" * 22, 404, "unknown_table"),
        ("GET", "/api/tables/%00%ff", 404, "unknown_table"),
        ("GET", "/api/records/nothing", 404, "unknown_record"),
        ("GET", "/api/nothing", 404, "unknown_page"),
        ("DELETE", "/api/tables", 405, "wrong_method"),
        ("GET", "/api/tables?status=hidden", 422, "invalid"),
    ],
)
def test_what_isn_t_there_is_told_in_one_shape(
    base: str, method: str, path: str, status: int, code: str
) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            response = await ann.request(method, path)
            assert (response.status_code, response.json()["error"]) == (status, code)
            assert response.json()["message"]

    asyncio.run(scenario())


def test_nobody_commands_without_a_cookie_or_from_another_site(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("buffalo", [{}, {}])
            claim = {"key": "k", "command": {"type": "claim", "name": "Eve"}}
            path = f"/api/tables/{opened['table']}/commands"
            foreign = await ann.client.post(path, json=claim, headers={"Origin": "https://evil.x"})
            assert (foreign.status_code, foreign.json()["error"]) == (403, "foreign_origin")
            cookie = ann.client.cookies["stampede_guest"]
            ann.client.cookies.set(
                "stampede_guest", cookie[:-1] + ("0" if cookie[-1] != "0" else "1")
            )
            forged = await ann.client.post(path, json=claim)
            assert (forged.status_code, forged.json()["error"]) == (401, "unknown_guest")

    asyncio.run(scenario())


def test_a_guest_s_cookie_is_out_of_reach_of_scripts_and_other_sites(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            ann.client.cookies.clear()
            cookie = (await ann.client.get("/api/me")).headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=lax" in cookie

    asyncio.run(scenario())


def test_a_seat_moves_to_another_device_by_link(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (desk, phone):
            opened = await desk.open("zoff", [{}, BOT, BOT])
            table = opened["table"]
            await desk.claim(table, 0, "Ann")
            link = (await desk.send(table, {"type": "seat_link", "player": 0})).json()["token"]
            async with desk.socket(table) as old:
                await old.next()
                moved = await phone.send(table, {"type": "move_chair", "player": 0}, token=link)
                assert moved.status_code == 200
                assert await closed(old) == 4008, "the old device doesn't look on any more"
            assert (await phone.look(table))["player"] == 0
            assert (await desk.look(table))["player"] is None
            again = await desk.send(table, {"type": "move_chair", "player": 0}, token=link)
            assert again.status_code == 403, "a link works once"

    asyncio.run(scenario())


def test_a_program_takes_a_seat_by_its_token_alone(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, program):
            program.client.cookies.clear()
            opened = await ann.open("buffalo", [{}, {}])
            await ann.claim(opened["table"], 0, "Ann")
            command = {"type": "claim", "name": "Deep Buffalo", "program": True}
            ack = (await program.send(opened["table"], command, token=opened["invite"])).json()
            program.token = ack["token"]
            async with ann.socket(opened["table"]) as one, program.socket(opened["table"]) as two:
                await asyncio.gather(one.play(random.Random(1)), two.play(random.Random(2)))
                assert one.view["players"][1]["kind"] == "program"

    asyncio.run(scenario())


def test_one_device_holds_several_chairs_in_a_hot_seat(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            opened = await ann.open("zoff", [{}, {}, {}], hot_seat=True)
            for player in range(3):
                await ann.claim(opened["table"], player, f"Player {player}")
            assert (await ann.look(opened["table"]))["players"] == [0, 1, 2]
            async with (
                ann.socket(opened["table"], player=0) as one,
                ann.socket(opened["table"], player=1) as two,
                ann.socket(opened["table"], player=2) as three,
            ):
                players = enumerate((one, two, three))
                await asyncio.gather(*(s.play(random.Random(seat)) for seat, s in players))

    asyncio.run(scenario())


def test_the_opener_sits_down_with_the_same_request(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            sit = [{"player": 0, "name": "Ann"}]  # the first to move: until then nothing changes
            key = ann.key()
            opened = await ann.open("buffalo", [{}, BOT], key, sit=sit)
            again = await ann.open("buffalo", [{}, BOT], key, sit=sit)
            for answer in (opened, again):
                del answer["stands"]["now"]  # the time of the answer
            assert again == opened, "a retry takes no chair twice"
            found = await ann.look(opened["table"])
            assert found["players"] == [0]
            assert found["view"]["phase"] == "playing"
            assert found["view"]["players"][0]["name"] == "Ann"
            refused = await ann.request(
                "POST",
                "/api/tables",
                {"key": ann.key(), "game": "buffalo", "chairs": [{}, {}], "sit": [{"player": 9}]},
            )
            assert refused.status_code == 422

    asyncio.run(scenario())


def test_the_ladder_goes_on_with_the_next_rung(base: str) -> None:
    """B4.1, B4.2: the buffalo side wins, so it leaves one buffalo at home, of its own choice."""

    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            opened = await ann.open("buffalo", [{}, {}], series="ladder")
            await ann.claim(opened["table"], 0, "Ann")
            await ben.claim(opened["table"], 1, "Ben", opened["invite"])
            await ben.send(opened["table"], {"type": "resign", "player": 1})
            vote = {"type": "vote", "on": "next"}
            await ben.send(opened["table"], {**vote, "player": 1})
            missing = await ann.send(opened["table"], {**vote, "player": 0})
            assert missing.status_code == 422, "one buffalo has to stay at home"
            await ann.send(opened["table"], {**vote, "player": 0, "choice": ["c"]})
            view = (await ann.look(opened["table"]))["view"]
            assert view["number"] == 2
            assert view["view"]["rules"]["removed"] == ["c"]
            assert view["series"]["rung"] == 1

    asyncio.run(scenario())


def test_buffalo_is_taken_back_by_agreement(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            opened = await ann.open("buffalo", [{}, {}])
            await ann.claim(opened["table"], 0, "Ann")
            await ben.claim(opened["table"], 1, "Ben", opened["invite"])
            async with ann.socket(opened["table"]) as one:
                await one.next()
                start = one.view["view"]["fen"]
                await one.act("f7f6")
                decision = one.view["decision"]["id"]
                undo = {"type": "vote", "on": "undo", "decision": decision}
                await one.command({**undo, "player": 0})
                assert one.view["view"]["fen"] != start
                await ben.send(opened["table"], {**undo, "player": 1})
                await one.until(lambda frame: frame["type"] == "update")
                assert one.view["view"]["fen"].split()[0] == start.split()[0]

    asyncio.run(scenario())


def test_too_many_requests_are_told_when_to_come_back(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 2) as (ann, ben):
            answers = [await ann.request("GET", "/api/games") for _ in range(15)]
            refused = [response for response in answers if response.status_code == 429]
            assert refused
            assert all(int(response.headers["retry-after"]) >= 1 for response in refused)
            assert (await ben.request("GET", "/api/games")).status_code == 200, "others may ask"

    with running(settings_for(tmp_path, rate=0.001, burst=8)) as base:
        asyncio.run(scenario(base))


def test_bodies_that_are_too_large_aren_t_read(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            huge = json.dumps({"key": "k", "rules": "x" * 200_000}).encode()
            declared = await ann.client.post("/api/tables", content=huge)
            assert (declared.status_code, declared.json()["error"]) == (413, "too_large")

            async def chunks() -> object:
                for start in range(0, len(huge), 1000):
                    yield huge[start : start + 1000]

            streamed = await ann.client.post("/api/tables", content=chunks())  # type: ignore[arg-type]
            assert streamed.status_code == 413

    asyncio.run(scenario())


def test_choices_made_at_the_same_moment_don_t_collide(base: str) -> None:
    """Z3.4: all choose at once; every choice counts, whatever the order in which they come."""

    async def scenario() -> None:
        async with guests(base, 5) as people:
            opened = await people[0].open("zoff", [{}] * 5)
            table = opened["table"]
            for seat, person in enumerate(people):
                await person.claim(table, seat, f"P{seat}", opened["invite"])
            rng = random.Random(5)
            commands = []
            for seat, person in enumerate(people):
                view = (await person.look(table))["view"]
                action = choose_action(view["view"]["legal"], rng)
                decision = view["decision"]["id"]
                commands.append(
                    {"type": "act", "player": seat, "decision": decision, "action": action}
                )
            pairs = zip(people, commands, strict=True)
            answers = await asyncio.gather(*(p.send(table, c) for p, c in pairs))
            assert [answer.status_code for answer in answers] == [200] * 5
            laid = (await people[0].look(table))["view"]["view"]["laid"]
            sent = {(c["player"], *pair) for c in commands for pair in c["action"]["pairs"]}
            assert {(pair["seat"], pair["pasture"], pair["card"]) for pair in laid} == sent

    asyncio.run(scenario())


def test_events_come_in_pages_without_gaps(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 1) as (ann,):
            table = (await ann.open("buffalo", [{}, {}], hot_seat=True))["table"]
            await ann.claim(table, 0, "Ann")
            await ann.claim(table, 1, "Anne")
            path, seqs, more = f"/api/tables/{table}/events", list[int](), True
            while more:
                after = seqs[-1] if seqs else 0
                page = (await ann.request("GET", f"{path}?after={after}&limit=2")).json()
                assert 1 <= len(page["messages"]) <= 2
                seqs += [message["seq"] for message in page["messages"]]
                more = page["more"]
            whole = (await ann.request("GET", path)).json()
            assert seqs == list(range(1, whole["seq"] + 1))
            assert len(whole["messages"]) == whole["seq"]
            assert not whole["more"]
            assert (await ann.request("GET", f"{path}?limit=501")).status_code == 422

    with running(settings_for(tmp_path)) as base:
        asyncio.run(scenario(base))


def test_a_guest_has_a_bounded_number_of_tables_that_are_not_over(tmp_path: Path) -> None:
    async def scenario(base: str) -> None:
        async with guests(base, 2) as (ann, ben):
            tables = [(await ann.open("buffalo", [{}, {}], key=f"t{n}"))["table"] for n in range(2)]
            body = {"key": "t2", "game": "buffalo", "chairs": [{}, {}]}
            refused = await ann.request("POST", "/api/tables", body)
            assert (refused.status_code, refused.json()["error"]) == (429, "too_many_tables")
            assert "at most 2" in refused.json()["message"]
            again = await ann.open("buffalo", [{}, {}], key="t1")
            assert again["table"] == tables[1], "a retry gets its answer"
            await ben.open("buffalo", [{}, {}])
            await ann.send(tables[0], {"type": "close"})
            assert (await ann.request("POST", "/api/tables", body)).status_code == 201

    with running(settings_for(tmp_path, max_tables_per_guest=2)) as base:
        asyncio.run(scenario(base))


def test_an_opener_takes_chairs_in_the_same_request_and_sees_the_table(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 2) as (ann, ben):
            sit = [{"player": 0, "name": "Ann"}]
            opened = await ann.open("buffalo", [{}, {"bot": "random"}], key="once", sit=sit)
            stands = opened["stands"]
            assert stands["players"] == [0]
            assert stands["view"]["phase"] == "playing"
            assert stands["view"]["players"][0]["name"] == "Ann"
            assert stands["view"]["view"]["legal"]["moves"]["a7"] == ["a6"]
            again = await ann.open("buffalo", [{}, {"bot": "random"}], key="once", sit=sit)
            assert again["table"] == opened["table"]
            assert again["stands"]["seq"] == stands["seq"], "a retry claims nothing twice"
            alone = await ben.open("buffalo", [{}, {"bot": "random"}])
            assert alone["stands"] is None

    asyncio.run(scenario())


def test_an_opener_of_a_shared_device_takes_all_its_chairs_at_once(base: str) -> None:
    async def scenario() -> None:
        async with guests(base, 1) as (ann,):
            sit = [{"player": player, "name": f"Player {player}"} for player in range(3)]
            opened = await ann.open("zoff", [{}, {}, {}], hot_seat=True, sit=sit)
            assert opened["stands"]["players"] == [0, 1, 2]
            body = {"key": "x", "game": "zoff", "chairs": [{}, {}], "sit": [{"player": 9}]}
            refused = await ann.request("POST", "/api/tables", body)
            assert refused.status_code == 422

    asyncio.run(scenario())
