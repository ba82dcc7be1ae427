"""PettingZoo environments: `stampede.lab.pettingzoo.zoff_v0` and `stampede.lab.pettingzoo.buffalo_v0`.

Each module has ``env(…)`` (AEC) and ``parallel_env(…)``. Observations are dictionaries: ``observation``, int8, and
``action_mask``, int8 with 1 for a legal atom.
"""

from stampede.core.extras import require

require("pettingzoo", "gymnasium")
