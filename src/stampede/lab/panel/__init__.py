"""The panel: reference players, simple and readable, against which levels are measured.

Each is a bot by the contract of `stampede.core.bot`: it sees a seat's view only, keeps nothing between calls, and the
same view and generator give the same answer. None of them needs compiled code. Use them by name in `stampede simulate`
and `stampede match`, or as ``stampede.lab.panel:Beginner``.
"""

from __future__ import annotations

from stampede.lab.panel.players import Beginner, OneMove, TwoMove, Watchful
from stampede.lab.panel.zoff import Cautious, Greedy

__all__ = ["Beginner", "Cautious", "Greedy", "OneMove", "TwoMove", "Watchful"]
