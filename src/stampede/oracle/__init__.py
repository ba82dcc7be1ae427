"""What is known for certain about a Buffalo position: tablebases and verified certificates combined."""

from __future__ import annotations

from stampede.oracle.local import LocalOracle, default_oracle

__all__ = ["LocalOracle", "default_oracle"]
