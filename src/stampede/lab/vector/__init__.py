"""Vector environments: many games at once, stepped by one call that fills arrays in place.

`ZoffVec` and `BuffaloVec` are the fast way in; the adapters of `stampede.lab` are built on them.
"""

from stampede.lab.vector.base import Transition, VectorGames
from stampede.lab.vector.buffalo import BuffaloVec
from stampede.lab.vector.flat_zoff import FlatZoff
from stampede.lab.vector.zoff import ZoffVec

__all__ = ["BuffaloVec", "FlatZoff", "Transition", "VectorGames", "ZoffVec"]
