"""Words that can be typed instead of an answer: help, rules, moves, why, save, undo and others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from stampede.cli.rules import rules_summary, short_rules
from stampede.cli.terminal.screen import Quit
from stampede.core.errors import StampedeError
from stampede.core.game import Seat

if TYPE_CHECKING:
    from stampede.cli.play.sitting import Sitting

__all__ = ["Words"]


class Words:
    """What the player at the screen can say. Each word returns whether the turn is over."""

    def __init__(self, sitting: Sitting, seat: Seat | None) -> None:
        self.sitting = sitting
        self.seat = seat
        self.screen = sitting.screen

    def say(self, text: str) -> bool | None:
        """Does what a word asks for and tells whether the turn is over; None when it isn't a word of ours."""
        word, _, rest = text.partition(" ")
        said = self._known().get(word.lower())
        if said is None or (rest and said[0] != self.save):
            return None
        action, _ = said
        try:
            return action(rest.strip())
        except StampedeError as error:
            self.screen.complain(str(error))
        except OSError as error:
            self.screen.complain(f"{error.filename}: {error.strerror}")
        return False

    def _known(self) -> dict[str, tuple[Callable[[str], bool], str]]:
        words: dict[str, tuple[Callable[[str], bool], str]] = {
            "?": (self.help, ""),
            "help": (self.help, "this list, and the game in short; also ?"),
            "rules": (self.rules, "the rules, clause by clause"),
        }
        if self.seat is not None:
            words["moves"] = (self.moves, "what you may answer now")
        words |= {
            "why": (self.why, "what happened last, with reasons and clauses"),
            "log": (self.log, "the whole game so far"),
            "table": (self.table, "the table or board once more"),
            "board": (self.table, ""),
            "save": (self.save, "save FILE: keep the game there from now on"),
        }
        if self.seat is not None and self.sitting.face.can_undo:
            words["undo"] = (self.undo, "take your last move back")
        if self.seat is not None and "resigned" in self.sitting.played.game.forfeits:
            words["resign"] = (self.resign, "give the game up")
        return words | {"quit": (self.quit, "leave; the game is kept"), "exit": (self.quit, "")}

    def help(self, _: str) -> bool:
        """The words, how to answer, and the game in short."""
        rows = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
        for word, (_action, meaning) in self._known().items():
            if meaning:
                rows.add_row(Text(word, "bold"), meaning)
        self.screen.show(Text(short_rules(self.sitting.played.game.name)), "", rows)
        if self.seat is not None:
            self.screen.show("", self.sitting.question(self.seat))
        return False

    def rules(self, _: str) -> bool:
        """The rules, clause by clause."""
        self.screen.show(rules_summary(self.sitting.played.game.name))
        return False

    def moves(self, _: str) -> bool:
        """What may be answered now."""
        view = self.sitting.face.view(self.sitting.played.state, self.seat)
        self.screen.show(self.sitting.face.moves(view, self.screen.width))
        return False

    def why(self, _: str) -> bool:
        """The reasons for what happened last."""
        lines = self.sitting.reasons() or ["Nothing has happened yet."]
        self.screen.show(*(Text(line) for line in lines))
        return False

    def log(self, _: str) -> bool:
        """The whole game so far, as far as it may still be told."""
        played = self.sitting.played
        events = played.game.redact(played.events, played.state, self.seat)
        lines = self.sitting.face.story(events, self.sitting.names)
        self.screen.show(*(lines or [Text("Nothing has happened yet.")]))
        return False

    def table(self, _: str) -> bool:
        """The table or board once more."""
        self.sitting.look(self.seat)
        return False

    def save(self, name: str) -> bool:
        """Keeps the game in a file of this name from now on."""
        path = Path(name).expanduser() if name else self.sitting.path
        if path is None:
            self.screen.complain("expected the name of a file: save FILE")
            return False
        if path != self.sitting.path and path.exists():
            self.screen.complain(f"{path} exists already; expected a new name")
            return False
        before, self.sitting.path = self.sitting.path, path
        try:
            self.sitting.save(unbegun=True)
        except OSError:
            self.sitting.path = before
            raise
        self.screen.show(Text(f"Saved: {path}"))
        return False

    def undo(self, _: str) -> bool:
        """Takes back the last move of a person, and those of bots after it."""
        played, people = self.sitting.played, self.sitting.people
        if not any(turn.seat in people for turn in played.turns):
            self.screen.complain("expected a move of yours to take back, but there is none yet")
            return False
        while (turn := played.undo()) is not None and turn.seat not in people:
            pass
        self.sitting.fresh = []
        self.sitting.last = []
        return True

    def resign(self, _: str) -> bool:
        """Gives the game up, once confirmed."""
        assert self.seat is not None, "a player resigns"
        if self.screen.ask("Give the game up? `yes` or Enter to go on:").lower() not in (
            "yes",
            "y",
        ):
            return False
        others = tuple(s for s in range(len(self.sitting.players)) if s != self.seat)
        self.sitting.played.forfeit(others, "resigned")
        return True

    def quit(self, _: str) -> bool:
        """Leaves the game; it is kept."""
        raise Quit
