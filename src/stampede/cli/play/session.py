"""One game at one terminal: people take turns in front of the same screen, bots play in between.

The screen shows the view of the seat in front of it. Where answers are sealed and several people play, the screen is
wiped, handed over, and wiped again, so that no player reads the choice of the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from stampede.cli.play.commands import TypedCommands
from stampede.cli.play.local_table import LocalTable
from stampede.cli.play.losses import easier_game
from stampede.cli.play.saves import store
from stampede.cli.terminal import AnyGameTerminal, Screen, heading
from stampede.core.errors import StampedeError
from stampede.core.game import Outcome, Seat
from stampede.core.json import JsonObject

__all__ = ["GameSession"]

ENTER_SEALS = "Enter seals it, or type another choice:"
NO = ("no", "n")


@dataclass(slots=True)
class GameSession:
    """A game being played at a terminal.

    Attributes:
        terminal: How the game is shown and answers are read.
        table: The game itself.
        screen: The screen and the keyboard.
        path: Where the game is saved before every decision; None to save it nowhere.
        meta: What else the record holds, such as the seed.
        resumed: The last entry that came from a saved game: what may no longer be looked at there isn't told again.
        told: The last entry whose events were told.
        explained: What `why` explains: the entries after the first number, up to the second.
    """

    terminal: AnyGameTerminal
    table: LocalTable
    screen: Screen
    path: Path | None
    meta: JsonObject
    resumed: int = 0
    told: int = 0
    explained: tuple[int, int] = (0, 0)

    @property
    def is_shared(self) -> bool:
        """Whether several people look at this screen in turn."""
        return len(self.table.people) > 1

    @property
    def is_secret(self) -> bool:
        """Whether the awaited answers are sealed."""
        return self.terminal.is_secret(self.table.view(None))

    @property
    def is_begun(self) -> bool:
        """Whether the record has a step."""
        return bool(self.table.record(self.meta).actions)

    def run(self) -> Outcome:
        """Plays to the end; Quit when a player wants to leave before."""
        while (outcome := self.table.outcome) is None:
            if not self.table.play_bot():
                self._take_turn(self.table.awaited[0])
        self.save()
        if self.table.people:
            self.screen.fresh_page()
        self._tell()
        self._show_table(None)
        summary = self.terminal.summary(self.table.view(None), outcome, self.table.names)
        self.screen.show(heading("The result"), summary)
        if self.path is not None:
            self.screen.show(Text(f"The record of this game: {self.path}", "dim"))
        record = self.table.record(self.meta)
        if easier := easier_game(record, self.path, self.terminal.easier):
            self.screen.show(Text(easier))
        return outcome

    def save(self, *, unbegun: bool = False) -> None:
        """Saves the game as it stands; one without a step only if it has a file already, or is to have one."""
        if self.path is not None and (unbegun or self.is_begun or self.path.exists()):
            store(self.path, self.table.record(self.meta))

    # --- a person's decision ---

    def _take_turn(self, seat: Seat) -> None:
        self.save()
        sealing = self.is_shared and self.is_secret
        if sealing and not self._hand_over(seat):
            return
        self.screen.fresh_page()
        self.look(seat)
        commands = TypedCommands(self, seat)
        is_over = False
        while not is_over:
            text = self.screen.ask(f"{self.table.names[seat]}>")
            done = commands.run(text) if text else False
            is_over = self._answer(seat, text, sealing=sealing) if done is None else done
        if sealing:
            self.screen.wipe()

    def _answer(self, seat: Seat, text: str, *, sealing: bool) -> bool:
        """Carries out what was typed; returns False if it can't be, and nothing has changed."""
        try:
            action = self.terminal.parse(self.table.view(seat), text)
            entry = self.table.check(seat, action)
        except StampedeError as error:
            self.screen.complain(str(error))
            return False
        if sealing:
            self.screen.show(Text(f"Your choice: {self.terminal.echo(action)}."))
            if other := self.screen.ask(ENTER_SEALS):
                return other.lower() not in NO and self._answer(seat, other, sealing=True)
        self.table.commit(entry)
        return True

    def _hand_over(self, seat: Seat) -> bool:
        """Shows the screen between two players; returns False if the player before reopens their answer."""
        names = self.table.names
        self.screen.wipe()
        self._tell()
        self._show_table(None)
        sealed = self.terminal.sealed_seats(self.table.view(None))
        back = max((s for s in self.table.people if s < seat and s in sealed), default=None)
        hint = "" if back is None else f" ({names[back]}: `back` changes your choice.)"
        self.screen.show(
            heading("The next player"),
            Text(f"Hand the screen to {names[seat]}; nobody else looks.{hint}", "bold"),
        )
        commands = TypedCommands(self, None)
        while text := self.screen.ask(f"{names[seat]}, press Enter:"):
            if text == "back" and back is not None:
                self.table.play(back, self.terminal.take_back())
                return False
            if commands.run(text) is None:
                self.screen.complain(f"expected Enter when {names[seat]} is here, got {text!r}")
        self.screen.wipe()
        return True

    # --- looking ---

    def look(self, seat: Seat | None) -> None:
        """Shows what happened, the table, and the question. A hand is shown only to its owner, alone."""
        self._tell()
        self._show_table(seat if not self.is_shared or self.is_secret else None)
        if seat is not None:
            self.screen.show(self.question(seat))

    def question(self, seat: Seat) -> RenderableType:
        """Returns what a seat is asked."""
        own = self.terminal.question(self.table.view(seat), self.table.names)
        return Text.assemble(own, ("  ? helps", "dim"))

    def reasons(self) -> list[str]:
        """Returns what was told last with all reasons, as far as it may still be told."""
        viewer = None if self.is_shared else self.table.people[0]
        events = self.table.events(viewer, *self.explained)
        return self.terminal.explain(events, self.table.names)

    def forget_told(self) -> None:
        """Skips what has happened: after an undo there is nothing to tell or to explain."""
        self.told = self.table.seq
        self.explained = (self.told, self.told)

    def _show_table(self, seat: Seat | None) -> None:
        view, names = self.table.view(seat), self.table.names
        self.screen.show(self.terminal.screen(view, names, self.screen.width))

    def _tell(self) -> None:
        """Tells what happened since the last look."""
        before = self.table.events(None, self.told, self.resumed)
        now = self.table.witnessed(max(self.told, self.resumed))
        lines = self.terminal.story([*before, *now], self.table.names)
        if lines:
            self.screen.show(heading("What happened"), *lines)
            self.explained = (self.told, self.table.seq)
        self.told = self.table.seq
