"""Games as text, for language models: what a seat may know, and its legal actions by name. Made from views alone.

>>> table = TextTable("zoff", seed=1, players=3)
>>> table.to_act
(0, 1, 2)
>>> table.actions(0)[:2]
['Lone-Star-Valley 2B', 'Lone-Star-Valley 2M']
>>> table.play(0, table.actions(0)[0])
>>> table.actions(0)[0]
'Powder-Prairie 2M'
"""

from __future__ import annotations

import random

from stampede.bots import Bot
from stampede.core.errors import IllegalAction, NotToAct
from stampede.core.game import Outcome, Seat
from stampede.core.playthrough import AnyPlaythrough
from stampede.front import new_game
from stampede.lab.atoms import zoff as atoms
from stampede.lab.atoms.zoff import Atoms
from stampede.zoff.view import ZoffView

__all__ = ["TextTable"]


class TextTable:
    """A game that is read and played as text.

    A choice of Zoff is laid pair by pair, and a bonus is used cow by cow: so a seat never has more than 144 actions.

    Args:
        game: ``"zoff"`` or ``"buffalo"``.
        seed: The same seed gives the same deal; None draws one at random.
        options: The rule options, as for `stampede.new_game`.
    """

    def __init__(self, game: str, *, seed: int | None = None, **options: object) -> None:
        self._played: AnyPlaythrough = new_game(game, seed=seed, **options)
        self._given: dict[Seat, Atoms] = {}

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose action is awaited; none when the game is over."""
        return self._played.to_act

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it runs."""
        return self._played.outcome

    def observation(self, seat: Seat) -> str:
        """The table as a seat sees it, with what it has laid of its running answer, and its actions."""
        view = self._played.view(seat)
        lines = [str(view)]
        given = self._given.get(seat, ())
        if given and isinstance(view, ZoffView):
            laid = ", ".join(atoms.atom_text(view, atom) for atom in given)
            lines.append(f"Laid so far: {laid}")
        if seat in self.to_act:
            lines.append(f"Your actions, seat {seat}:")
            lines += [f"- {action}" for action in self.actions(seat)]
        return "\n".join(lines)

    def actions(self, seat: Seat) -> list[str]:
        """The legal actions of a seat; none when it isn't asked."""
        return list(self._legal(seat))

    def _legal(self, seat: Seat) -> dict[str, int]:
        """The legal actions with their numbers."""
        if seat not in self.to_act:
            return {}
        view = self._played.view(seat)
        if isinstance(view, ZoffView):
            legal = atoms.legal_atoms(view, self._given.get(seat, ()))
            return {atoms.atom_text(view, atom): atom for atom in legal}
        return {str(move): place for place, move in enumerate(view.legal)}

    def play(self, seat: Seat, action: str) -> None:
        """Carries an action out.

        Raises:
            NotToAct: The seat isn't asked.
            IllegalAction: It is none of `actions`.
        """
        legal = self._legal(seat)
        if not legal:
            raise NotToAct(f"expected an action of seat {self.to_act}, got seat {seat}")
        if action not in legal:
            raise IllegalAction(f"expected one of {', '.join(legal)}, got {action!r}")
        view = self._played.view(seat)
        if not isinstance(view, ZoffView):
            self._played.play(seat, list(view.legal)[legal[action]])
            return
        given = (*self._given.get(seat, ()), legal[action])
        answer = atoms.answer_of(view, given)
        self._given[seat] = () if answer is not None else given
        if answer is not None:
            self._played.play(seat, answer)

    def play_bot(self, seat: Seat, bot: Bot, rng: random.Random) -> None:
        """Lets a bot answer for a seat."""
        self._given[seat] = ()
        self._played.play_bot(bot, rng, seat)
