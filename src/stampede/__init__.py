"""Two out-of-print board games, *Zoff in Buffalo* and *Buffalo*, to play, study and solve.

>>> import random, stampede
>>> game = stampede.new_game("zoff", players=3, seed=1)
>>> bot, rng = stampede.bot("random"), random.Random(1)
>>> while game.to_act:
...     events = game.play_bot(bot, rng)
>>> game
<Zoff in Buffalo, 3 players, round 5 of 5, won by 0 (rounds)>

The games live in `stampede.zoff` and `stampede.buffalo`; what they share is in `stampede.core`. The names here are
loaded when you first use them, so ``import stampede`` takes only milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stampede.buffalo.position import Position
    from stampede.core.bot import Bot
    from stampede.core.errors import StampedeError
    from stampede.core.playthrough import Playthrough
    from stampede.core.record import GameRecord
    from stampede.front import bot, bot_names, new_game, read_records, replay

__all__ = [
    "Bot",
    "GameRecord",
    "Playthrough",
    "Position",
    "StampedeError",
    "__version__",
    "bot",
    "bot_names",
    "new_game",
    "read_records",
    "replay",
]

__version__ = "0.1.0"

_HOMES = {
    "Bot": "stampede.core.bot",
    "GameRecord": "stampede.core.record",
    "Playthrough": "stampede.core.playthrough",
    "Position": "stampede.buffalo.position",
    "StampedeError": "stampede.core.errors",
}
"""Where a name comes from that `stampede.front` doesn't define."""


def __getattr__(name: str) -> object:
    """Loads a public name at its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'stampede' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES.get(name, "stampede.front")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Lists the public names, loaded or not."""
    return sorted({*globals(), *__all__})
