"""The rules once more, on integers and arrays, compiled by Numba: fast twins of `stampede.buffalo` and `stampede.zoff`.

A twin meets its rules in its `bridge` module only; tests play both side by side.
"""

from stampede.core.extras import require

require("numpy", "numba")
