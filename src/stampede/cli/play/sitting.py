"""One game at one terminal: people in turn before the same screen, bots in between.

Whoever sits before the screen sees a view of his own seat only. Where answers are sealed and several people play, the
screen is wiped, handed over, and wiped again, so that nobody reads the choice of the player before.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import RenderableType
from rich.text import Text

from stampede.bots import seen_by
from stampede.bots.remember import briefed
from stampede.cli.play.players import Player
from stampede.cli.play.saves import store
from stampede.cli.play.words import Words
from stampede.cli.terminal import AnyGameTerminal, AnyPlaythrough, heading
from stampede.cli.terminal.screen import Screen
from stampede.core.errors import StampedeError
from stampede.core.events import Event
from stampede.core.game import Outcome, Seat
from stampede.core.json import JsonObject

__all__ = ["Sitting"]

ENTER_SEALS = "Enter seals it, or type another choice:"
NO = ("no", "n")


@dataclass(slots=True)
class Sitting:
    """A game being played at a terminal.

    Attributes:
        face: How the game is shown.
        played: The game so far.
        players: Who plays, by seat.
        screen: The screen and the keyboard.
        path: Where the game is kept before every decision; None to keep it nowhere.
        meta: What else the record tells; ``seed`` is what bots draw from.
        fresh: What happened since somebody last looked.
        last: What was shown last, for `why`.
    """

    face: AnyGameTerminal
    played: AnyPlaythrough
    players: Sequence[Player]
    screen: Screen
    path: Path | None
    meta: JsonObject
    fresh: list[Event] = field(default_factory=list)
    last: list[Event] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return tuple(player.name for player in self.players)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""
        return tuple(seat for seat, player in enumerate(self.players) if player.bot is None)

    @property
    def is_shared(self) -> bool:
        """Whether several people look at this screen in turn."""
        return len(self.people) > 1

    def run(self) -> Outcome:
        """Plays to the end; Quit when somebody wants to leave before."""
        while (outcome := self.played.outcome) is None:
            seat = self._next()
            bot = self.players[seat].bot
            if bot is None:
                self._person(seat)
            else:
                view = seen_by(self.played.game, self.played.state, seat)
                bot = briefed(bot, self.played.events)
                self.play(seat, bot.choose(view, self._stream(seat)))
        self.save()
        self._show_end(outcome)
        return outcome

    def _next(self) -> Seat:
        """Of those to act: bots first, as they don't keep anybody waiting."""
        awaited = self.played.game.to_act(self.played.state)
        return min(awaited, key=lambda seat: (seat in self.people, seat))

    def _stream(self, seat: Seat) -> random.Random:
        """Chance for one decision of a bot: the same after the game was saved and resumed."""
        return random.Random(f"{self.meta.get('seed')}/{seat}/{len(self.played.turns)}")

    def play(self, seat: Seat, action: object) -> None:
        """Carries an action out and keeps what happened to be told."""
        self.fresh += self.played.play(seat, action)

    def save(self, *, unbegun: bool = False) -> None:
        """Keeps the game as it stands; one without a step only if it has a file already, or is to have one."""
        if self.path is not None and (unbegun or self.played.steps() or self.path.exists()):
            infos = tuple(player.info for player in self.players)
            store(self.path, self.played.record(infos, self.meta))

    # --- a person's decision ---

    def _person(self, seat: Seat) -> None:
        self.save()
        passing = self.is_shared and self.face.is_secret(self.played.state)
        if passing and not self._hand_over(seat):
            return
        self.screen.fresh_page()
        self.look(seat)
        words = Words(self, seat)
        prompt = f"{self.names[seat]}>"
        while True:
            text = self.screen.ask(prompt)
            if not text:
                continue
            if (turn_is_over := words.say(text)) is None:
                turn_is_over = self._answer(seat, text, sealing=passing)
            if turn_is_over:
                break
        if passing:
            self.screen.wipe()

    def _answer(self, seat: Seat, text: str, *, sealing: bool) -> bool:
        """Carries out what was typed; False when it can't be, and nothing has changed."""
        try:
            action = self.face.parse(self.face.view(self.played.state, seat), text)
            self.played.game.apply(
                self.played.state, seat, action
            )  # refused here, before it is confirmed
        except StampedeError as error:
            self.screen.complain(str(error))
            return False
        if sealing:
            self.screen.show(Text(f"Your choice: {self.face.echo(action)}."))
            if other := self.screen.ask(ENTER_SEALS):
                return other.lower() not in NO and self._answer(seat, other, sealing=True)
        self.play(seat, action)
        return True

    def _hand_over(self, seat: Seat) -> bool:
        """The screen between two players; False when the player before wants his answer back."""
        name = self.names[seat]
        self.screen.wipe()
        self._tell()
        self.screen.show(self.face.screen(self._public_view(), self.names, self.screen.width))
        back = self._sealed_before(seat)
        hint = f" ({self.names[back]}: `back` changes your choice.)" if back is not None else ""
        self.screen.show(heading("The next player"))
        self.screen.show(Text(f"Hand the screen to {name}; nobody else looks.{hint}", "bold"))
        words = Words(self, None)
        while text := self.screen.ask(f"{name}, press Enter:"):
            if text == "back" and back is not None:
                self.play(back, self.face.take_back())
                return False
            if words.say(text) is None:
                self.screen.complain(f"expected Enter when {name} is here, got {text!r}")
        self.screen.wipe()
        return True

    def _sealed_before(self, seat: Seat) -> Seat | None:
        """The person before this one in the round whose answer lies sealed."""
        sealed = self.face.sealed_seats(self.played.state)
        earlier = [person for person in self.people if person < seat and person in sealed]
        return earlier[-1] if earlier else None

    # --- looking ---

    def look(self, seat: Seat | None) -> None:
        """Shows what happened, the table, and what is asked. A hand is shown only to its owner, alone."""
        self._tell()
        alone = seat is not None and (not self.is_shared or self.face.is_secret(self.played.state))
        shown = self.face.view(self.played.state, seat) if alone else self._public_view()
        self.screen.show(self.face.screen(shown, self.names, self.screen.width))
        if seat is not None:
            self.screen.show(self.question(seat))

    def question(self, seat: Seat) -> RenderableType:
        """What a seat is asked."""
        own = self.face.view(self.played.state, seat)
        return Text.assemble(self.face.question(own, self.names), ("  ? helps", "dim"))

    def _public_view(self) -> object:
        return self.face.view(self.played.state, None)

    def _tell(self) -> None:
        """What happened since the last look; later `why` can still explain it."""
        lines = self.face.story(self.fresh, self.names)
        if lines:
            self.screen.show(heading("What happened"), *lines)
            self.last = self.fresh
        self.fresh = []

    def reasons(self) -> list[str]:
        """What was told last, with all reasons, as far as it may still be told."""
        state = self.played.state
        viewer = None if self.is_shared else self.people[0]
        events = self.played.game.redact(self.last, state, viewer)
        return self.face.explain(events, self.names)

    def _show_end(self, outcome: Outcome) -> None:
        if self.people:
            self.screen.fresh_page()
        self._tell()
        view = self._public_view()
        self.screen.show(self.face.screen(view, self.names, self.screen.width))
        self.screen.show(heading("The result"))
        self.screen.show(self.face.summary(view, outcome, self.names))
        if self.path is not None:
            self.screen.show(Text(f"The record of this game: {self.path}", "dim"))
