"""How a bot's answer comes about: from the seat's view and a seed, in a thread of the pool."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, cast

from stampede.bots import PlayerView, bot_named
from stampede.core.game import AnyGame, LegalActions, View
from stampede.core.json import Json, JsonObject
from stampede.matches.bots import BotRequest

__all__ = ["answer_of"]


@dataclass(frozen=True, slots=True)
class _WithLegal:
    """A view beside its viewer's legal actions, for bots of every game."""

    view: View
    legal: LegalActions[Any]

    def to_json(self) -> JsonObject:
        """The view as plain JSON."""
        return self.view.to_json()

    def __getattr__(self, name: str) -> object:
        return getattr(self.view, name)


def answer_of(game: AnyGame, request: BotRequest) -> Json:
    """The action that a bot of the requested level chooses, as the game writes it. It gets the view, nothing else."""
    view = request.view
    if not hasattr(view, "legal"):
        # Buffalo calls its legal moves so; the seat is to act, so there are some.
        view = _WithLegal(view, view.legal_moves)  # type: ignore[attr-defined]
    action: Json = game.write_action(
        bot_named(request.level).choose(cast("PlayerView[Any]", view), random.Random(request.seed))
    )
    return action
