"""After three lost games in a row, a line about easier ones. Saved games are the memory: nothing else is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from stampede.bots import BOT_NAMES, bot_names
from stampede.cli.play.saves import latest_games
from stampede.core.record import GameRecord

__all__ = ["easier_game"]

ENOUGH: Final = 3
"""So many losses in a row are enough."""


def easier_game(record: GameRecord, path: Path | None, without_bots: str) -> str | None:
    """What to say after a game; None unless a lone player has lost it and the two before it to bots.

    Args:
        record: The game that has just ended.
        path: Where it is saved, if anywhere.
        without_bots: What helps where no bot plays more gently.
    """
    game = record.game
    if not _is_lost(record):
        return None
    before = latest_games(game, ENOUGH - 1, but=path)
    if len(before) < ENOUGH - 1 or not all(map(_is_lost, before)):
        return None
    levels = [name for name in bot_names(game) if name not in BOT_NAMES]
    bots = {str(seat.bot) for seat in record.seats if seat.kind == "bot"}
    at = min((levels.index(bot) for bot in bots if bot in levels), default=0)
    gentler = f"`--bot {at}` plays more gently." if at else without_bots
    return f"The last three got away. {gentler}"


def _is_lost(record: GameRecord) -> bool:
    """Whether the only person came in behind more of the others than ahead of them."""
    people = [seat for seat, player in enumerate(record.seats) if player.kind != "bot"]
    if len(people) != 1 or record.result is None:
        return False
    me, result = people[0], record.result
    won = result.get("winners", [result.get("winner")])
    if isinstance(won, list) and me in won:
        return False
    scores = result.get("scores")
    if not isinstance(scores, list):
        return True
    known = [float(str(score)) for score in scores]
    ahead = sum(score > known[me] for score in known)
    return ahead > sum(score < known[me] for score in known)
