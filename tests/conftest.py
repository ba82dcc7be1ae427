"""What every test shares: the Hypothesis profiles, and no tables from outside.

`ci` is the default and deterministic, so a failure on one machine is a failure on all. `thorough`
looks for new examples: `make test ARGS="--hypothesis-profile=thorough"`. `make coverage` uses `coverage`.
"""

import os
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

# Level 8 and analysis use the tables that a machine has. Here there are none, so that tests see the same everywhere.
os.environ["STAMPEDE_TABLEBASES"] = str(
    Path(tempfile.gettempdir()) / "stampede-tests-have-no-tables"
)

# With colorama installed, Numba exchanges sys.stdout while it words an error, even one that it gets over:
# a kernel that a bot's thread compiles would take the output away from a command that a test runs meanwhile.
os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] = "1"

# No deadlines: how long an example takes depends on the machine, and no test asserts on time.
settings.register_profile(
    "ci",
    deadline=None,
    derandomize=True,
    max_examples=50,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("ci"), derandomize=False, max_examples=1000
)
# Tracing is slow, and a branch that a property reaches it reaches early.
settings.register_profile("coverage", settings.get_profile("ci"), max_examples=15)
settings.load_profile("ci")
