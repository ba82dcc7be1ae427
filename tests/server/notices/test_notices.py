"""Notices by Web Push: who gets which, what they say, and where the server doesn't connect to."""

import asyncio
import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from simulation.choices import choose_action
from stampede.server.notices import delivery, notices
from stampede.server.notices.delivery import Delivery, check_endpoint
from stampede.server.notices.encryption import (
    ServerKey,
    decode64,
    encode64,
    encrypt,
    read_public_key,
)
from stampede.server.notices.turns import MAX_OF_GUEST, NoticeQueue
from tests.server.notices.push_service import PushService, push_service
from tests.server.people import browsers, command, keep, new_name, open_table, sign_in, sit
from tests.server.servers import running, settings_for
from tests.waiting import wait_until

DAYS = {"kind": "days", "limit_ms": 86_400_000}


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as found:
        yield found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(settings_for(tmp_path_factory.mktemp("server"), push_private=True)) as base:
        yield base


@pytest.fixture
def people(served: str) -> Iterator[list[httpx.Client]]:
    with browsers(served, 2) as found:
        yield found


def subscribe(client: httpx.Client, subscription: dict[str, Any]) -> None:
    answer = client.post("/api/notices", json=subscription)
    assert answer.status_code == 200, answer.text


def act(client: httpx.Client, table: str) -> None:
    view = client.get(f"/api/tables/{table}").json()["view"]
    action = view["view"]["legal"]

    chosen = choose_action(action, random.Random(3))
    fields = {"player": view["you"], "decision": view["decision"]["id"], "action": chosen}
    assert command(client, table, "act", **fields).status_code == 200


def test_the_example_of_the_standard_comes_out_byte_for_byte() -> None:
    """RFC 8291, appendix A."""
    private = int.from_bytes(decode64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        lambda _: decode64("DGv6ra1nlYgDCS1FRnbzlw"),
        ec.derive_private_key(private, ec.SECP256R1()),
    )
    assert encode64(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_server_identifies_itself_to_the_push_service_it_talks_to() -> None:
    key = ServerKey.read(ServerKey.generate(lambda size: bytes(range(size))))
    header = key.authorization("https://push.example/x/y", "mailto:a@b.example", 1_000_000)
    token, public = header.removeprefix("vapid t=").split(", k=")
    head, claims, signature = token.split(".")
    assert json.loads(decode64(claims)) == {
        "aud": "https://push.example",
        "exp": 1000 + 12 * 3600,
        "sub": "mailto:a@b.example",
    }
    raw = decode64(signature)
    pair = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    signed = f"{head}.{claims}".encode()
    read_public_key(public).verify(encode_dss_signature(*pair), signed, ec.ECDSA(hashes.SHA256()))


def test_a_turn_at_a_correspondence_table_is_told_once_and_only_to_who_asked(
    people: list[httpx.Client], service: PushService
) -> None:
    ann, ben = people
    subscribe(ben, service.subscription("ben", "de"))
    assert ben.get("/api/notices").json()["browsers"] == 1
    assert ann.get("/api/notices").json()["browsers"] == 0, "off until asked for"
    table = open_table(ann, "buffalo", [{}, {}], clock=DAYS, public=True)
    sit(ann, table, "Ann", 0)
    sit(ben, table, "Ben", 1)
    act(ann, table)
    wait_until("Ben is told", lambda: len(service.got) == 1)
    path, headers, body = service.got[0]
    assert path == "/ben"
    assert headers["content-encoding"] == "aes128gcm"
    assert headers["authorization"].startswith("vapid t=")
    assert b"Ann" not in body
    assert service.messages() == [
        {
            "title": "Du bist am Zug: Buffalo",
            "body": "Ann – Ben",
            "url": f"/t/{table}",
            "tag": table,
        }
    ]
    act(ben, table)
    subscribe(ann, service.subscription("ann"))
    asked = command(ben, table, "vote", player=1, on="pause", agree=True)
    assert asked.status_code == 200, asked.text
    wait_until("Ann is asked", lambda: len(service.got) == 2)
    assert service.got[1][0] == "/ann"
    assert service.messages()[1]["title"] == "Ben asks you something"


def test_an_ordinary_table_tells_nobody(people: list[httpx.Client], service: PushService) -> None:
    ann, ben = people
    subscribe(ben, service.subscription("ben"))
    quick = open_table(ann, "buffalo", [{}, {}], public=True)
    slow = open_table(ann, "buffalo", [{}, {}], clock=DAYS, public=True)
    for table in (quick, slow):
        sit(ann, table, "Ann", 0)
        sit(ben, table, "Ben", 1)
        act(ann, table)
    wait_until("Ben is told", lambda: len(service.got) == 1)
    assert service.messages()[0]["tag"] == slow


def test_a_sealed_choice_is_in_no_notice(people: list[httpx.Client], service: PushService) -> None:
    """What is sealed first decides nothing about what the others are told."""
    ann, ben = people
    subscribe(ann, service.subscription("ann"))
    table = open_table(ann, "zoff", [{}, {}], clock=DAYS, public=True)
    sit(ann, table, "Ann", 0)
    sit(ben, table, "Ben", 1)
    act(ann, table)
    act(ben, table)
    wait_until("the round is told", lambda: len(service.got) >= 1)
    for message in service.messages():
        assert set(message) == {"title", "body", "url", "tag"}
        assert message["body"] == "Ann – Ben"


def test_a_browser_that_is_gone_is_forgotten_and_a_busy_service_is_asked_again(
    people: list[httpx.Client], service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = people
    monkeypatch.setattr(notices, "DELAY", 0.0)
    subscribe(ben, service.subscription("ben"))
    service.answers = [503, 201]
    table = open_table(ann, "buffalo", [{}, {}], clock=DAYS, public=True)
    sit(ann, table, "Ann", 0)
    sit(ben, table, "Ben", 1)
    act(ann, table)
    wait_until("it was tried twice", lambda: len(service.got) == 2)
    act(ben, table)
    service.answers = [410]
    act(ann, table)
    wait_until("it is forgotten", lambda: ben.get("/api/notices").json()["browsers"] == 0)


def test_subscriptions_follow_their_owner_and_end_with_them(
    people: list[httpx.Client], service: PushService
) -> None:
    ann, ben = people
    subscribe(ann, service.subscription("ann"))
    stranger = ben.request("DELETE", "/api/notices", json={"endpoint": f"{service.base}/ann"})
    assert stranger.status_code == 200
    assert ann.get("/api/notices").json()["browsers"] == 1, "only their own"
    keep(ann, new_name())
    assert ann.get("/api/notices").json()["browsers"] == 1, "the account has it now"
    ann.request("DELETE", "/api/notices", json={"endpoint": f"{service.base}/ann"})
    assert ann.get("/api/notices").json()["browsers"] == 0


def test_a_device_whose_session_was_ended_from_another_gets_no_more_notices(
    people: list[httpx.Client], service: PushService
) -> None:
    lost, kept = people
    name = new_name()
    subscribe(lost, service.subscription("lost"))
    keep(lost, name)
    assert sign_in(kept, name).status_code == 201
    subscribe(kept, service.subscription("kept"))
    assert kept.get("/api/notices").json()["browsers"] == 2
    assert kept.delete("/api/sessions").json()["count"] == 1
    assert kept.get("/api/notices").json()["browsers"] == 1
    with browsers(str(kept.base_url), 1) as (ann,):
        table = open_table(ann, "buffalo", [{}, {}], clock=DAYS, public=True)
        sit(ann, table, "Ann", 0)
        sit(kept, table, "Ben", 1)
        act(ann, table)
        wait_until("Ben is told", lambda: bool(service.got))
    assert [path for path, _, _ in service.got] == ["/kept"]


def test_a_person_has_a_bounded_number_of_browsers(
    people: list[httpx.Client], service: PushService
) -> None:
    for number in range(12):
        subscribe(people[0], service.subscription(f"b{number}"))
    assert people[0].get("/api/notices").json()["browsers"] == 10


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://[::10.0.0.1]/x",
        "https://[64:ff9b::10.0.0.1]/x",
        "https://[2002:a00:1::1]/x",
        "https://[2001:0:a00:1::1]/x",
        "https://[fec0::1]/x",
        "https://[ff02::1]/x",
        "https://224.0.0.1/x",
        "https://10.1.2.3/x",
        "https://169.254.169.254/latest",
        "https://localhost/x",
        "https://router.local/x",
        "https://intranet/x",
        "https://push.example:8443/x",
        "https://user:pass@push.example/x",
        "ftp://push.example/x",
        "https://push.example/a\r\nX-Evil: 1",
        "https://push.example/" + "a" * 600,
    ],
)
def test_only_public_push_services_are_taken(endpoint: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    ["https://push.example/x?y=1", "https://[2a00:1450:4001:830::200a]/x", "https://8.8.8.8:443/x"],
)
def test_public_push_services_are_taken(endpoint: str) -> None:
    assert check_endpoint(endpoint).path == "/x"


def test_a_name_that_leads_into_this_network_is_not_connected_to(service: PushService) -> None:
    async def scenario() -> None:
        delivery = Delivery(look_up=lambda *_: ["93.184.216.34", "127.0.0.1"])
        with pytest.raises(OSError, match="public"):
            await delivery.post("https://push.example/x", {}, b"")

    asyncio.run(scenario())
    assert service.got == []


def test_names_that_nobody_answers_for_block_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(delivery, "SECONDS", 0.01)
    answered = threading.Event()

    def look_up(_: str, __: int) -> list[str]:
        assert answered.wait(60)
        return []

    async def scenario() -> None:
        found = Delivery(look_up=look_up)
        posts = [found.post(f"https://p{n}.example/x", {}, b"") for n in range(64)]
        given_up = await asyncio.gather(*posts, return_exceptions=True)
        assert {type(one) for one in given_up} == {TimeoutError}
        assert await asyncio.to_thread(int, "5") == 5, "pages are read in such threads"
        answered.set()

    asyncio.run(scenario())


def test_a_slow_push_service_delays_its_own_reader_only() -> None:
    def notice(guest: str, table: str, kind: str = "push_turn") -> notices.Notice:
        return notices.Notice(guest, kind, table, "Buffalo", ("Ann",))

    async def scenario() -> None:
        queue = NoticeQueue()
        for number in range(MAX_OF_GUEST):
            assert queue.put(notice("slow", f"t{number}"))
        assert not queue.put(notice("slow", "one more"))
        assert queue.put(notice("slow", "t0")), "in place of the earlier one"
        assert queue.put(notice("ben", "t1"))
        first = await queue.take()
        assert first.guest == "slow"
        assert (await queue.take()).guest == "ben"
        waiting = asyncio.ensure_future(queue.take())
        await asyncio.sleep(0)
        assert not waiting.done(), "the slow one's first is on its way"
        queue.finish(first)
        assert (await waiting).table == "t1"

    asyncio.run(scenario())


def test_bad_subscriptions_are_refused(base: str, service: PushService) -> None:
    with browsers(base, 1) as (ann,):
        good = service.subscription("x")
        cases = [
            good,  # this server takes no private address
            {
                **good,
                "endpoint": "https://push.example/x",
                "keys": {"p256dh": "A" * 87, "auth": "A" * 22},
            },
            {**good, "language": "xx"},
            {**good, "more": 1},
        ]
        for case in cases:
            assert ann.post("/api/notices", json=case).status_code == 422, case
        assert httpx.post(f"{base}/api/notices", json=good).status_code == 401


def test_the_key_is_made_once(tmp_path: Path) -> None:
    keys = []
    for _ in range(2):
        with running(settings_for(tmp_path)) as base:
            keys.append(httpx.get(f"{base}/api/notices").json()["key"])
    assert keys[0] == keys[1]
    assert len(decode64(keys[0])) == 65
