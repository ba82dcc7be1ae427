"""OpenSpiel games: importing this module registers ``stampede_zoff`` and ``stampede_buffalo``.

Chance deals card by card, as nodes of their own. Players answer by the atoms of `stampede.lab.atoms`. Returns are
zero-sum: the share of a victory times the number of players, less one.
"""

from stampede.core.extras import require

require("pyspiel")

from stampede.lab.openspiel.games import register_all  # noqa: E402 - after the check

__all__ = ["register_all"]

register_all()
