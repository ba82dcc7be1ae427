"""A text that is put together from what all share and what is one's own is the text of all that is told."""

from __future__ import annotations

import random

from stampede.matches.callers import Caller
from stampede.matches.table import Table
from stampede.server.http.encode import encode
from stampede.server.tables.asking import Updates
from stampede.server.tables.games import CATALOGUE
from stampede.server.tables.viewers import Viewer
from tests.matches.golden_logs import read_log


def test_updates_are_the_same_byte_for_byte() -> None:
    """For players and on-lookers, for those who want changes and those who want views."""
    rng = random.Random(2)
    for name in ("buffalo", "zoff"):
        log = read_log(name)
        table, twin = Table(CATALOGUE, log[0]), Table(CATALOGUE, log[0])
        eyes = [None, *range(len(table.state.chairs))]
        viewers = [Viewer(Caller(), player, 9, changes=True) for player in eyes]
        viewers += [Viewer(Caller(), player, 9, changes=False) for player in eyes[:2]]
        for entry in log[1:]:
            since = table.seq
            table.apply(entry)
            twin.apply(entry)
            updates = Updates(table, since)
            rng.shuffle(viewers)
            for viewer in viewers:
                news = twin.news_json(viewer.player, since, changes=viewer.changes)
                expected = encode({"type": "update", "seq": twin.seq, **news})
                assert updates.text(viewer) == expected
