"""Running commands as a user does, and playing scripted games."""

import os
import random
import signal
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from typer.testing import CliRunner, Result

from stampede.cli.main import build
from stampede.core.game import AnyGame
from stampede.core.record import GameRecord, read_records
from tests.waiting import PATIENCE

APP = build()
STAMPEDE = str(Path(sysconfig.get_path("scripts")) / "stampede")


def environment(folder: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a command whose saved games go below a folder."""
    return {**os.environ, "XDG_STATE_HOME": str(folder / "state"), **(extra or {})}


def invoke(*arguments: object, answers: str | None = None) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(APP, [str(argument) for argument in arguments], input=answers)


def run(
    folder: Path,
    *arguments: object,
    answers: str | None = None,
    extra: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run the installed command in a process of its own, in a folder."""
    return subprocess.run(
        [STAMPEDE, *(str(argument) for argument in arguments)],
        cwd=folder,
        env=environment(folder, extra),
        input=answers or "",
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )


@contextmanager
def hearing_interrupts() -> Iterator[None]:
    """Lets commands that are started meanwhile hear SIGINT, also where the tests themselves don't: after `&`, say."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def ending(process: subprocess.Popen[bytes], patience: float = 0.0) -> Iterator[None]:
    """Ends a process with the block, whatever happens in there: its own block would wait for ever.

    Args:
        process: Which one.
        patience: For how many seconds it may end by itself.
    """
    try:
        yield
        if patience:
            process.wait(patience)
    finally:
        process.kill()


def records_in(path: Path) -> list[GameRecord]:
    """Read all records of a file."""
    with path.open(encoding="utf-8") as stream:
        return [record for _, record in read_records(stream)]


def random_game(
    game: AnyGame, rules: object, deal: object, seed: int
) -> list[tuple[int, object, object]]:
    """Play a random game and list seat, action and the state before each action."""
    rng = random.Random(seed)
    state = game.initial(rules, deal)
    steps = []
    while awaited := game.to_act(state):
        action = game.legal(state, awaited[0]).sample(rng)
        steps.append((awaited[0], action, state))
        state = game.apply(state, awaited[0], action).state
    return steps


def lines(answers: Sequence[str]) -> str:
    """Answers as they come from a keyboard."""
    return "".join(f"{answer}\n" for answer in answers)
