"""Every error that Stampede raises on purpose.

The tree::

    StampedeError
    ├── InputError            something from outside can't be read (also a ValueError)
    │   ├── ParseError        a text: a FEN, a move, a card, a bid
    │   ├── RuleSetError      a rule set that no game has
    │   ├── EditionError      a Zoff edition file; names the cell
    │   └── RecordError       a game record; names the step
    ├── MissingExtra          a package of an extra isn't installed (also an ImportError)
    ├── JobStopped            a long job had to stop; what it has made is kept
    └── ActionError           an action that the rules refuse
        ├── NotToAct          it isn't this seat's decision
        ├── IllegalAction     the decision is this seat's, the answer isn't allowed
        └── GameOver          nothing can be done any more

A message says what was expected and what was got. Nothing is changed when one of these is raised.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "ActionError",
    "EditionError",
    "GameOver",
    "IllegalAction",
    "InputError",
    "JobStopped",
    "MissingExtra",
    "NotToAct",
    "ParseError",
    "RecordError",
    "RuleSetError",
    "StampedeError",
]


class StampedeError(Exception):
    """The root: catch this to catch everything that Stampede raises on purpose.

    >>> import stampede
    >>> try:
    ...     stampede.new_game("chess")
    ... except stampede.StampedeError as error:
    ...     print(error)
    game: expected zoff or buffalo, got 'chess'
    """


class InputError(StampedeError, ValueError):
    """Something from outside can't be read."""


class ParseError(InputError):
    """A text form (FEN, move, card, bid, pasture …) is wrong."""


class RuleSetError(InputError):
    """The rule set asks for a game that doesn't exist."""


class EditionError(InputError):
    """A Zoff edition file is wrong.

    Attributes:
        cell: The place in the file, such as ``pasture[3].capacity``.
        problem: What is wrong there.
    """

    def __init__(self, cell: str, problem: str) -> None:
        super().__init__(f"{cell}: {problem}")
        self.cell = cell
        self.problem = problem


class RecordError(InputError):
    """A game record is wrong.

    Attributes:
        index: The step at fault, counted from 0; None when the fault is outside the steps.
        code: A word for the kind of fault, for texts in other languages; empty where there is none. `core.replay` lists
            them.
        values: What such a text fills in.
        clause: The rule that refuses the step; empty when none is meant.
    """

    def __init__(
        self,
        problem: str,
        index: int | None = None,
        *,
        code: str = "",
        values: Mapping[str, str] | None = None,
        clause: str = "",
    ) -> None:
        super().__init__(problem if index is None else f"step {index}: {problem}")
        self.index = index
        self.code = code
        self.values = dict(values or {})
        self.clause = clause


class MissingExtra(StampedeError, ImportError):
    """A package that an extra of the installation brings isn't there; the message has the command."""


class JobStopped(StampedeError):
    """A long job had to stop: a full disk, a lost cluster, an item that can't be made. What it has made is kept."""


class ActionError(StampedeError):
    """An action that the rules refuse.

    Attributes:
        clause: The rule that refuses it, such as ``Z4.4``; empty when none is meant.
    """

    def __init__(self, problem: str, clause: str = "") -> None:
        super().__init__(f"{problem} ({clause})" if clause else problem)
        self.clause = clause


class NotToAct(ActionError):
    """It isn't this seat's decision."""


class IllegalAction(ActionError):
    """The decision is this seat's, but the rules don't allow this answer."""


class GameOver(ActionError):
    """The game has ended: nothing can be done any more."""
