"""Rights to view a table are asked for under its lock, where it stands still."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from stampede.matches import ChairPlan, TableSettings, digest_of
from stampede.matches.callers import Caller
from stampede.matches.commands import Claim, Invite, MoveChair, Open, SeatLink
from stampede.matches.entries import Ack
from stampede.server.http.problems import Problem
from stampede.server.tables.actor import TableActor
from stampede.server.tables.broadcast import Viewer
from stampede.server.tables.registry import TableRegistry
from stampede.server.tables.service import choose_view, read_record
from tests.server.tables.live import ANN, INVITATION, RULES, Now, tables


async def seated(registry: TableRegistry) -> tuple[TableActor, Caller, Caller]:
    """A private table where a seat is held by a token; the token's bearer, and one with the invitation."""
    wanted = TableSettings("buffalo", RULES, (ChairPlan(), ChairPlan()), watch=False)
    command = Open("1" * 22, wanted, "ann", "ab" * 32, digest_of(INVITATION))
    async with registry.lease(await registry.open(command, ANN, "open")) as actor:
        await actor.command(Claim(0, "Ann"), ANN, "claim")
        await actor.command(SeatLink(0, digest_of("t" * 40)), ANN, "link")
        return actor, Caller(token="t" * 40), Caller(token=INVITATION)


def test_a_seat_that_moves_while_its_old_device_enters_is_closed_to_it(tmp_path: Path) -> None:
    """The old device was let in, and waits for the table behind the move."""

    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            actor, old, _ = await seated(registry)
            async with actor.reading() as table:
                player = choose_view(table, old, 0)
                assert player == 0
                moved: list[Ack | Exception] = []
                actor.submit(
                    MoveChair(0, digest_of("u" * 40)), Caller("new", "t" * 40), "m", moved.append
                )
                await asyncio.sleep(0)
                entering = asyncio.create_task(actor.enter(Viewer(old, player, 1 << 20), None))
                reading = asyncio.create_task(read_record(actor, old, None))
                await asyncio.sleep(0)
            for attempt in (entering, reading):
                with pytest.raises(Problem) as refused:
                    await attempt
                assert refused.value.status in (403, 404)
            assert [type(answer) for answer in moved] == [Ack]
            assert not actor.is_watched

    asyncio.run(scenario())


def test_an_invitation_that_is_withdrawn_while_its_bearer_enters_opens_nothing(
    tmp_path: Path,
) -> None:
    async def scenario() -> None:
        async with tables(tmp_path, Now()) as registry:
            actor, _, invited = await seated(registry)
            async with actor.reading() as table:
                player = choose_view(table, invited, None)
                assert player is None
                actor.submit(Invite(digest_of("j" * 40)), ANN, "invite", lambda _: None)
                await asyncio.sleep(0)
                entering = asyncio.create_task(actor.enter(Viewer(invited, player, 1 << 20), None))
                await asyncio.sleep(0)
            with pytest.raises(Problem) as refused:
                await entering
            assert refused.value.status == 403

    asyncio.run(scenario())
