"""Words to type instead of an answer: help, rules, moves, why, save, undo and others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from rich.text import Text

from stampede.cli.rules import rules_summary, short_rules
from stampede.cli.terminal import Quit, bare_table
from stampede.core.errors import StampedeError
from stampede.core.game import Seat

if TYPE_CHECKING:
    from stampede.cli.play.session import GameSession

__all__ = ["TypedCommands"]

TypedCommand: TypeAlias = Callable[[str], bool]
"""Takes the rest of the line and returns whether the turn is over."""


class TypedCommands:
    """The commands of the player at the screen; without a seat, those between two players."""

    def __init__(self, session: GameSession, seat: Seat | None) -> None:
        self.session = session
        self.seat = seat
        self.screen = session.screen
        self.spec = session.terminal.spec

    def run(self, text: str) -> bool | None:
        """Runs a command and returns whether the turn is over; None if the text is no command."""
        word, _, rest = text.partition(" ")
        found = self._known().get(word.lower())
        if found is None or (rest and found[0] != self._save):
            return None
        try:
            return found[0](rest.strip())
        except StampedeError as error:
            self.screen.complain(str(error))
        except OSError as error:
            self.screen.complain(f"{error.filename}: {error.strerror}")
        return False

    def _known(self) -> dict[str, tuple[TypedCommand, str]]:
        commands: dict[str, tuple[TypedCommand, str]] = {
            "?": (self._help, ""),
            "help": (self._help, "this list, and the game in short; also ?"),
            "rules": (self._rules, "the rules in short; rules Z4.4 shows a clause"),
            "moves": (self._moves, "what you may answer now"),
            "why": (self._why, "what happened last, with reasons and clauses"),
            "log": (self._log, "the whole game so far"),
            "table": (self._table, "the table or board once more"),
            "board": (self._table, ""),
            "save": (self._save, "save FILE: keep the game there from now on"),
            "undo": (self._undo, "take your last move back"),
            "resign": (self._resign, "give the game up"),
            "quit": (self._quit, "leave; the game is kept"),
            "exit": (self._quit, ""),
        }
        missing = set() if self.spec.undo else {"undo"}
        if "resigned" not in self.spec.forfeits:
            missing.add("resign")
        if self.seat is None:
            missing |= {"moves", "undo", "resign"}
        return {word: found for word, found in commands.items() if word not in missing}

    def _help(self, _: str) -> bool:
        rows = bare_table()
        for word, (_command, meaning) in self._known().items():
            if meaning:
                rows.add_row(Text(word, "bold"), meaning)
        self.screen.show(Text(short_rules(self.spec.name)), "", rows)
        if self.seat is not None:
            self.screen.show("", self.session.question(self.seat))
        return False

    def _rules(self, clause: str) -> bool:
        self.screen.show(rules_summary(self.spec.name, clause))
        return False

    def _moves(self, _: str) -> bool:
        self.screen.show(self.session.terminal.moves(self.session.table.view(self.seat)))
        return False

    def _why(self, _: str) -> bool:
        lines = self.session.reasons() or ["Nothing has happened yet."]
        self.screen.show(*(Text(line) for line in lines))
        return False

    def _log(self, _: str) -> bool:
        table = self.session.table
        lines = self.session.terminal.story(table.events(self.seat, 0, table.seq), table.names)
        self.screen.show(*(lines or [Text("Nothing has happened yet.")]))
        return False

    def _table(self, _: str) -> bool:
        self.session.look(self.seat)
        return False

    def _save(self, name: str) -> bool:
        session = self.session
        path = Path(name).expanduser() if name else session.path
        if path is None:
            self.screen.complain("expected the name of a file: save FILE")
        elif path != session.path and path.exists():
            self.screen.complain(f"{path} exists already; expected a new name")
        else:
            before, session.path = session.path, path
            try:
                session.save(unbegun=True)
            except OSError:
                session.path = before
                raise
            self.screen.show(Text(f"Saved: {path}"))
        return False

    def _undo(self, _: str) -> bool:
        self.session.table.undo()
        self.session.forget_told()
        return True

    def _resign(self, _: str) -> bool:
        assert self.seat is not None, "a player resigns"
        answer = self.screen.ask("Give the game up? `yes` or Enter to go on:").lower()
        if answer not in ("yes", "y"):
            return False
        self.session.table.resign(self.seat)
        return True

    def _quit(self, _: str) -> bool:
        raise Quit
