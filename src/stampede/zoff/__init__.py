"""Zoff in Buffalo: rules that read like the rule sheet. Start with `ZoffGame` and `ZoffRules`.

Where to find what: `rules` the rule set, `edition` the printed data, `setup` the deal, `actions` and `events`,
`legal` what a seat may do, `checks` why not, `resolve` a round (Z4, Z5), `auction` (Z11.1), `scoring` the end (Z7, Z8),
`herds` the law of herds, `view` what a seat sees, `records` the game record, `describe` events in English, `game` the
contract.
"""

from stampede.zoff.actions import (
    Bid,
    Choose,
    Pair,
    Pick,
    Place,
    PlaceBonus,
    Settle,
    TakeBack,
    ZoffAction,
)
from stampede.zoff.describe import describe
from stampede.zoff.edition import CowCard, Edition, Pasture
from stampede.zoff.events import ZoffEvent
from stampede.zoff.game import ZoffGame
from stampede.zoff.rules import ZoffRules
from stampede.zoff.setup import Deal
from stampede.zoff.state import State, ZoffPhase
from stampede.zoff.view import ZoffView

__all__ = [
    "Bid",
    "Choose",
    "CowCard",
    "Deal",
    "Edition",
    "Pair",
    "Pasture",
    "Pick",
    "Place",
    "PlaceBonus",
    "Settle",
    "State",
    "TakeBack",
    "ZoffAction",
    "ZoffEvent",
    "ZoffGame",
    "ZoffPhase",
    "ZoffRules",
    "ZoffView",
    "describe",
]
