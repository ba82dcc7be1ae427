"""Decides who is to be noticed of what, and sends it outside the path of actions.

The worker that has written an entry sees what it changed, so several workers send a notice once. What is due waits in a
bounded queue; a notice that is lost when a server stops is not repeated: the table shows whose turn it is.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from stampede.core.series import Player
from stampede.core.spec import GameSpec
from stampede.games import GAMES
from stampede.matches.commands import Command, VoteTopic
from stampede.matches.messages import player_of
from stampede.matches.proposals import voters_of
from stampede.matches.settings import ClockKind
from stampede.matches.state import ChairKind, TableState
from stampede.matches.views import awaited_now
from stampede.server.notices.delivery import Delivery
from stampede.server.notices.encryption import ServerKey, encode64, encrypt
from stampede.server.notices.turns import NoticeQueue
from stampede.server.sharing.moments import chair_names
from stampede.server.sharing.texts import texts_in
from stampede.store import StoreError
from stampede.store.accounts.push import PushStore, Subscription

__all__ = ["Notice", "Notices", "due_notices"]

log = logging.getLogger("stampede.server")

SENDERS: Final = 16
"""Notices that are on their way at the same time, each to all browsers of its reader."""
ATTEMPTS: Final = 3
DELAY: Final = 5.0
"""Seconds until the second attempt; the third waits three times as long."""
TTL: Final = 24 * 3600
"""Seconds for which a push service keeps a message for a device that is off."""
GONE: Final = frozenset({404, 410})
SUBJECT: Final = "https://stampede.invalid/"
"""Who sends, for push services that want to complain, unless the operator sets an address."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a player should know.

    Attributes:
        guest: The guest or account.
        kind: The key of its texts: ``push_turn``, ``push_proposal`` or ``push_rematch``.
        table: The table.
        game: The game's title.
        names: The players' names.
        who: Who proposes; empty for a turn.
    """

    guest: str
    kind: str
    table: str
    game: str
    names: tuple[str, ...]
    who: str = ""

    def payload(self, language: str) -> bytes:
        """The message: all of it is known to everyone at the table."""
        names = " – ".join(name for name in self.names if name)
        title, body = texts_in(language).titled(
            self.kind, game=self.game, names=names, who=self.who
        )
        url = f"/t/{self.table}"
        found = {"title": title, "body": body, "url": url, "tag": self.table}
        return json.dumps(found, ensure_ascii=False).encode()


def due_notices(
    spec: GameSpec, command: Command, before: TableState, after: TableState
) -> Iterator[Notice]:
    """The notices that an entry of a correspondence table makes due. Reads nothing that is hidden."""
    if after.settings.clock.kind is not ClockKind.DAYS:
        return
    names = chair_names(after.chairs)
    actor = player_of(command)

    def to(player: Player, kind: str, who: str = "") -> Iterator[Notice]:
        chair = after.chairs[player]
        if player != actor and chair.kind is ChairKind.HUMAN and chair.holder is not None:
            yield Notice(chair.holder, kind, after.table, spec.title, names, who)

    old = before.match.decision_id if before.match is not None and before.in_game else None
    if after.in_game and after.running.decision_id != old:
        for player in awaited_now(spec, after):
            yield from to(player, "push_turn")
    known = {proposal.topic for proposal in before.proposals}
    for proposal in after.proposals:
        if proposal.topic not in known:
            kind = "push_rematch" if proposal.topic is VoteTopic.NEXT else "push_proposal"
            who = names[proposal.players[0]]
            for player in sorted(voters_of(after, proposal.topic) - set(proposal.players)):
                yield from to(player, kind, who)


class Notices:
    """Subscriptions, and the queue of what is to be sent."""

    def __init__(
        self,
        store: PushStore,
        key: ServerKey,
        delivery: Delivery,
        now: Callable[[], int],
        *,
        entropy: Callable[[int], bytes] = os.urandom,
        subject: str = SUBJECT,
    ) -> None:
        self.store = store
        self.key = key
        self.delivery = delivery
        self._now = now
        self._entropy = entropy
        self._subject = subject or SUBJECT
        self._queue = NoticeQueue()

    def note(self, command: Command, before: TableState, after: TableState) -> None:
        """Notes what an entry changed. Called on the path of actions: quick, and never raises."""
        try:
            spec = GAMES[after.settings.game]
            for notice in due_notices(spec, command, before, after):
                if not self._queue.put(notice):
                    log.warning("too many notices are waiting: one is dropped")
        except Exception:  # a bug here must not undo an action
            log.exception("a notice can't be made")

    async def run(self) -> None:
        """Sends what is due, until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(SENDERS):
                group.create_task(self._send_all())

    async def _send_all(self) -> None:
        while True:
            notice = await self._queue.take()
            try:
                found = await self.store.of(notice.guest)
                await asyncio.gather(*(self._try_to_send(one, notice) for one in found))
            except StoreError as error:
                log.warning("a notice can't be sent: %s", type(error).__name__)
            except Exception:
                log.exception("a notice can't be sent")
            finally:
                self._queue.finish(notice)

    async def _try_to_send(self, subscription: Subscription, notice: Notice) -> None:
        """Sends a notice to a browser; a failure is logged, so that the reader's other browsers get theirs."""
        try:
            await self.send(subscription, notice)
        except StoreError as error:
            log.warning("a browser can't be forgotten: %s", type(error).__name__)
        except Exception:
            log.exception("a notice can't be sent")

    async def send(self, subscription: Subscription, notice: Notice) -> bool:
        """Sends a notice to a browser; returns whether the push service has taken it."""
        payload = notice.payload(subscription.language)
        body = encrypt(payload, subscription.p256dh, subscription.auth, self._entropy)
        topic = encode64(hashlib.sha256(notice.table.encode()).digest()[:24])
        for attempt in range(ATTEMPTS):
            if attempt:
                await asyncio.sleep(DELAY * 3 ** (attempt - 1))
            headers = {
                "Authorization": self.key.authorization(
                    subscription.endpoint, self._subject, self._now()
                ),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(TTL),
                "Topic": topic,  # a later notice of this table replaces it while the device is off
                "Urgency": "normal",
            }
            try:
                status = await self.delivery.post(subscription.endpoint, headers, body)
            except (OSError, TimeoutError, ValueError) as error:
                log.info("push service: %s", type(error).__name__)
                continue
            if status in GONE:
                await self.store.remove(subscription.digest)
                return False
            if status < 400:
                return True
            if status not in (408, 429) and status < 500:
                log.info("push service: status %d", status)
                return False
        return False
