"""Write the server's OpenAPI document; the browser client's types are made from it.

Run by `make types` and `make check`: python scripts/openapi.py FILE
"""

import json
import logging
import sys
from pathlib import Path

from stampede.server.app import create_app


def main() -> None:
    """Write the document to the file that is named."""
    logging.disable()  # whether the client is built doesn't matter here
    (target,) = map(Path, sys.argv[1:])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(create_app().openapi(), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
