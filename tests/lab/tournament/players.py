"""Players for tests of tournaments: quick ones, and ones that fail."""

from __future__ import annotations

import os
import random
import time
from typing import Any


class First:
    """Takes the first legal action: always the same game."""

    name = "first"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """The first legal action."""
        del rng
        return next(iter(view.legal))


class Raising:
    """Fails in the middle of a game."""

    name = "raising"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """Plays at random for some time."""
        if rng.random() < 0.2:
            raise LookupError("lost the thread")
        return view.legal.sample(rng)


class Cheating:
    """Answers with an action that isn't legal."""

    name = "cheating"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """No action at all."""
        del view
        return rng.choice(["castle", ["castle"], {"castle": float("nan")}, b"castle", Cheating])


class Slow:
    """Plays at random, and on request slowly: so that a run can be interrupted."""

    name = "slow"

    def choose(self, view: Any, rng: random.Random) -> Any:
        """A random action."""
        time.sleep(float(os.environ.get("STAMPEDE_TEST_SLOW", "0")))
        return view.legal.sample(rng)
