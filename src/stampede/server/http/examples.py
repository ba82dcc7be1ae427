"""Examples of every request, which the OpenAPI that is served carries as ``x-example``.

`tests/docs/api_examples.py` asks a running server and writes the file; a test asks again and compares.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, Final

__all__ = ["EXAMPLES", "with_examples"]

EXAMPLES: Final = Path(__file__).with_name("examples.json")


def with_examples(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns an OpenAPI document with an example in each operation: address, body, status and answer."""
    examples = json.loads(EXAMPLES.read_text("utf-8")) if EXAMPLES.exists() else {}
    found = copy.deepcopy(schema)
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            example = examples.get(f"{method.upper()} {path}")
            if example is not None:
                operation["x-example"] = example
    return found
