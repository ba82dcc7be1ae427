"""The page /api: every request has an example, and a running server still answers it that way."""

import json
from pathlib import Path

from stampede.server.http.examples import EXAMPLES
from tests.docs.api_examples import ask_everything, list_routes
from tests.server.servers import running, settings_for

RANDOM = {"GET /api/exhibition"}
"""What answers depends on how busy the server is."""


def test_every_request_has_an_example_that_a_running_server_answers_alike(tmp_path: Path) -> None:
    stored = json.loads(EXAMPLES.read_text("utf-8"))
    missing = sorted(list_routes().keys() - stored.keys())
    assert missing == [], "add them to tests/docs/api_examples.py, and run `make types`"
    with running(settings_for(tmp_path)) as base:
        fresh = ask_everything(base)
    assert fresh.keys() == stored.keys(), "run `make types`"
    for route, example in fresh.items():
        if route in RANDOM:
            continue
        assert example["status"] == stored[route]["status"], route
        for part in ("body", "answer"):
            mine, kept = example.get(part), stored[route].get(part)
            assert type(mine) is type(kept), (route, part)
            if isinstance(mine, dict) and isinstance(kept, dict):
                assert mine.keys() == kept.keys(), (route, part)
