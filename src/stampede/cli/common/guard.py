"""Turns errors of commands into one line on standard error and an exit code, never a traceback.

Exit codes: 0 success; 1 the checked thing is wrong; 2 bad usage or input; 130 interrupted; 141 the reader of our output
has closed the pipe.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import typer

from stampede.core.errors import StampedeError
from stampede.core.extras import name_missing_extras

__all__ = ["BAD_INPUT", "WRONG", "guard"]

WRONG = 1
BAD_INPUT = 2
INTERRUPTED = 130
READER_GONE = 141

P = ParamSpec("P")
T = TypeVar("T")


def guard(app: typer.Typer) -> typer.Typer:
    """Wraps every command of an app and its groups."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.callback = _guarded(command.callback)
    if app.registered_callback is not None and app.registered_callback.callback is not None:
        app.registered_callback.callback = _guarded(app.registered_callback.callback)
    for group in app.registered_groups:
        if group.typer_instance is not None:
            guard(group.typer_instance)
    return app


def _guarded(command: Callable[P, T]) -> Callable[P, T]:
    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            with name_missing_extras():
                result = command(*args, **kwargs)
            sys.stdout.flush()  # a closed pipe shows here, not at exit
        except StampedeError as error:
            raise _stop(str(error), BAD_INPUT) from error
        except BrokenPipeError as error:
            _discard_stdout()
            raise typer.Exit(READER_GONE) from error
        except OSError as error:
            raise _stop(_describe(error), BAD_INPUT) from error
        except KeyboardInterrupt as error:
            raise _stop("interrupted", INTERRUPTED) from error
        return result

    return run


def _stop(message: str, code: int) -> typer.Exit:
    print(f"stampede: {' '.join(message.split())}", file=sys.stderr)
    return typer.Exit(code)


def _describe(error: OSError) -> str:
    what = error.strerror or str(error)
    return what if error.filename is None else f"{error.filename}: {what}"


def _discard_stdout() -> None:
    """Discards buffered output: Python would complain when it flushes a closed pipe at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file, as in tests
        return
