"""A command at a pseudo-terminal: types an answer whenever it is asked, and keeps all that was on the screen."""

import os
import pty
import re
import select
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cli.helpers import STAMPEDE, environment, hearing_interrupts
from tests.waiting import PATIENCE

PROMPT = re.compile(rb"[>:\]?] $")
WIPE = b"\x1b[H\x1b[2J\x1b[3J"
ROWS, COLUMNS = "50", "80"


def at_terminal(
    folder: Path,
    arguments: Sequence[str],
    answers: Sequence[bytes],
    extra: Mapping[str, str] | None = None,
) -> tuple[bytes, int]:
    """Run a command at a terminal; returns everything that it showed, and its exit code."""
    size = {"TERM": "xterm-256color", "LINES": ROWS, "COLUMNS": COLUMNS}
    with hearing_interrupts():
        child, leader = pty.fork()
        if child == 0:
            os.chdir(folder)
            env = environment(folder, {**size, **(extra or {})})
            os.execve(STAMPEDE, [STAMPEDE, *arguments], env)  # noqa: S606
    left = list(answers)
    seen = b""
    since = b""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ready, _, _ = select.select([leader], [], [], 0.1)
        if ready:
            try:
                part = os.read(leader, 65536)
            except OSError:  # the command has ended
                break
            seen += part
            since += part
        elif PROMPT.search(since) and left:
            os.write(leader, left.pop(0))
            since = b""
    else:
        os.kill(child, 9)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(leader)
    return seen, code
