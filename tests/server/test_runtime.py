"""Time and chance are arguments: nothing below the server asks the system for them."""

import ast
from pathlib import Path

import stampede

PACKAGE = Path(stampede.__file__).parent
ALLOWED = {
    "server/runtime.py",  # the real ones
    "server/cluster/supervisor.py",  # the parent of the workers, which serves nothing itself
    "server/ops/gc_policy.py",  # when to collect garbage
    "server/run.py",
    "store/migrations/versions/0004_chain.py",  # how often it tells of its progress
}
"""Modules that may ask the system for time or chance."""
FORBIDDEN = {"time.time", "time.time_ns", "time.monotonic", "os.urandom", "datetime.now"}


def calls_of(module: Path) -> list[str]:
    """The functions that a module calls, by their dotted names, outside of lambdas that are only defaults."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]


def test_server_and_store_are_handed_time_and_chance() -> None:
    found = {
        f"{name}: {call}"
        for folder in ("server", "store")
        for module in sorted((PACKAGE / folder).rglob("*.py"))
        if (name := module.relative_to(PACKAGE).as_posix()) not in ALLOWED
        for call in calls_of(module)
        if call in FORBIDDEN or call.startswith(("secrets.", "random.", "uuid."))
    }
    # A bot is handed its seed; the home page's picture is one fixed deal; the mark's default serves tools and tests,
    # the server passes its own.
    assert found == {
        "server/sharing/moments.py: random.Random",
        "server/tables/interpreter.py: random.Random",
        "store/log/entries.py: os.urandom",
    }
