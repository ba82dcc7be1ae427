"""Two out-of-print board games, *Zoff in Buffalo* and *Buffalo*, to play, study and solve.

The games live in `stampede.zoff` and `stampede.buffalo`; what they share is in `stampede.core`.
"""

__version__ = "0.1.0"
