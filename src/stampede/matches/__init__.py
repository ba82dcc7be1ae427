"""The authority over running games: tables, seats, sealed choices, clocks, series. No HTTP, no SQL.

Start with `Table` and `open_table`. Where to find what: `commands` what can be asked; `callers` who asks, and what they
may do; `decide` whether it can be done now; `entries` what the log keeps; `fold` what an entry does, with `lifecycle`;
`state` what a table is; `views` and `messages` what a viewer may know; `bots` which bots are to act; `records`; `fair`
the committed deal; `settings` what a table can be, and the games that the composition root hands in.
"""

from stampede.core.series import Player
from stampede.matches.bots import BotRequest
from stampede.matches.callers import SYSTEM, Caller, digest_of
from stampede.matches.entries import Ack, Decided, Entry
from stampede.matches.fair import verify_deal
from stampede.matches.messages import Message
from stampede.matches.settings import Catalogue, ChairPlan, Clock, ClockKind, Expiry, TableSettings
from stampede.matches.table import Table, open_table
from stampede.matches.views import TableView

__all__ = [
    "SYSTEM",
    "Ack",
    "BotRequest",
    "Caller",
    "Catalogue",
    "ChairPlan",
    "Clock",
    "ClockKind",
    "Decided",
    "Entry",
    "Expiry",
    "Message",
    "Player",
    "Table",
    "TableSettings",
    "TableView",
    "digest_of",
    "open_table",
    "verify_deal",
]
