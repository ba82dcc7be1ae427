"""One hostile address, with the limits that the server ships with: it is cut off, and others don't notice it.

The attacks end as soon as the server does something about them. `python -m benches hostile` lets them go on and
measures how long the others wait.
"""

import pytest

from benches.hostile import measure
from benches.hostile.attacks import ATTACKS

SECONDS = 60.0
"""For a server that does nothing about an attack."""
EXPENSIVE = {"bots", "analysis"}
"""Kept within a share of the processor, which is no matter of yes or no: the benchmark measures it."""
NAMES = [name for name in ATTACKS if name not in EXPENSIVE]


@pytest.mark.slow
@pytest.mark.timeout(0)  # a server that does nothing about it takes a minute for each
def test_a_hostile_address_is_resisted_and_others_go_on() -> None:
    found = measure.run(NAMES, SECONDS, until_resisted=True)
    for attacked in found:
        outcome = attacked.outcomes[attacked.name]
        assert attacked.noticed.faults == [], attacked.name
        assert attacked.grown <= measure.MOST_MEMORY, (attacked.name, outcome)
        resisted = outcome["cut"] or outcome["refused"] or outcome["statuses"].get("429")
        assert resisted, (attacked.name, outcome)
