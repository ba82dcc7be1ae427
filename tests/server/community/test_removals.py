"""Removals that meet a claim which is under way."""

import asyncio
import os
from pathlib import Path

import pytest

from stampede.core.errors import InputError
from stampede.matches.callers import Caller
from stampede.matches.commands import Claim, SetChair
from stampede.server.community.moderation import Moderation
from stampede.server.http.limits import RateLimiter
from stampede.store.accounts.accounts import AccountStore
from stampede.store.community.chat import ChatStore
from stampede.store.community.moderation import ModerationStore
from tests.server.tables.live import ANN, BEN, INVITATION, Now, opened, tables


def test_a_claim_that_was_checked_before_the_removal_brings_nobody_back(tmp_path: Path) -> None:
    async def scenario() -> None:
        now = Now()
        async with tables(tmp_path, now) as registry:
            engine = registry._context.store.engine
            removals = ModerationStore(engine)
            limiter = RateLimiter(1, 1, lambda: 0.0)
            stores = removals, AccountStore(engine), ChatStore(engine)
            moderation = Moderation(*stores, limiter, now, os.urandom)
            actor = await opened(registry)
            with pytest.raises(InputError):
                await moderation.remove(actor, ANN, 0, "herself")
            assert not await removals.is_removed(actor.table_id, {ANN.who}), "it was refused"
            await moderation.remove(actor, ANN, 1, "remove")
            assert await removals.is_removed(actor.table_id, {BEN.who})
            await actor.command(SetChair(1), ANN, "free")
            invited = Caller(BEN.guest, INVITATION)
            ack = await actor.command(Claim(1, "Ben"), invited, "again")
            await moderation.remove_again(actor, invited, ack)
            async with actor.reading() as table:
                assert not table.players_of(invited)

    asyncio.run(scenario())
