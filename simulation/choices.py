"""What people choose: a legal action, and what a new table is. Tests and benchmarks choose the same way."""

from __future__ import annotations

import random
from typing import Any, Final

__all__ = ["LEVELS", "choose_action", "draw_settings"]

LEVELS: Final = {"zoff": ("random", "zoff-1"), "buffalo": ("random", "buffalo-1")}
"""Bots that think quickly."""


def choose_action(legal: Any, rng: random.Random) -> Any:
    """Draws one of the actions that a view calls legal; None when there is none."""
    if legal is None:
        return None
    if "moves" in legal:
        if not legal["moves"]:
            return None
        start = rng.choice(sorted(legal["moves"]))
        return start + rng.choice(legal["moves"][start])
    match legal["type"]:
        case "choose":
            return {"type": "choose", "pairs": _choose_pairs(legal, rng)}
        case "place":
            return {"type": "place", "cows": rng.choice(legal["cows"])}
        case "bonus":
            return {"type": "bonus", "on": rng.choice(legal["on"])}
        case "settle":
            first, second = rng.sample(legal["colours"], 2)
            colours = dict(zip(legal["pastures"], (first, second, second), strict=True))
            return {"type": "settle", "colours": colours}
        case "bid":
            return {"type": "bid", "bid": f"{float(legal['least']) + rng.random():.4f}"}
        case "pick":
            return {"type": "pick", "colour": rng.choice(legal["colours"])}
        case _:
            return None


def _choose_pairs(legal: Any, rng: random.Random) -> list[list[str]]:
    many, pastures, colours = legal["pairs"], legal["pastures"], legal["colours"]
    chosen = rng.sample(pastures, many) if len(pastures) > 1 else pastures * many
    cards = rng.sample(legal["cards"], many)
    return [
        [pasture, card, *([colours[index]] if colours else [])]
        for index, (pasture, card) in enumerate(zip(chosen, cards, strict=True))
    ]


def draw_settings(rng: random.Random) -> dict[str, Any]:
    """Draws what a new table is."""
    game = rng.choice(("zoff", "zoff", "buffalo"))
    players = 2 if game == "buffalo" else rng.choice((2, 3, 3, 4))
    chairs: list[dict[str, str]] = [
        {"bot": rng.choice(LEVELS[game])} if index and rng.random() < 0.2 else {}
        for index in range(players)
    ]
    settings: dict[str, Any] = {
        "game": game,
        "chairs": chairs,
        "substitute": rng.choice(LEVELS[game]),
        "public": rng.random() < 0.4,
        "watch": rng.random() < 0.7,
        "hot_seat": rng.random() < 0.2,
        "auto_start": rng.random() < 0.85,
        "pace_ms": rng.choice((0, 300, 2000)),
        "patience_ms": rng.choice((1000, 10_000, 60_000)),
    }
    if rng.random() < 0.5:
        kinds = ("move", "round", "game") if game == "zoff" else ("move", "game")
        clock: dict[str, Any] = {
            "kind": rng.choice(kinds),
            "limit_ms": rng.choice((5_000, 15_000, 60_000)),
            "expiry": rng.choice(("bot", "forfeit")),
            "lapses": rng.choice((1, 2, 2)),
            "grace": rng.random() < 0.7,
        }
        if clock["kind"] == "game":
            clock["increment_ms"] = rng.choice((0, 1_000, 3_000))
        settings["clock"] = clock
    if game == "zoff":
        flags = [name for name in ("auction", "fair", "open_discards") if rng.random() < 0.3]
        settings["rules"] = dict.fromkeys(flags, True)
    else:
        settings["series"] = rng.choice(("rematch", "ladder", "both_sides"))
    return settings
