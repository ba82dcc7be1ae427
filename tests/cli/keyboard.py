"""What a person types: legal actions as text, and whole games as lists of answers."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stampede.cli.terminal import AnyGameTerminal
from stampede.cli.terminal.matching import initials
from stampede.zoff.actions import Bid, Choose, Pick, Place, PlaceBonus, Settle
from stampede.zoff.view import ZoffView

PastureForm = Callable[[ZoffView, str], str]


def by_row(view: ZoffView, name: str) -> str:
    """A pasture by the number of its row."""
    return str([pasture.name for pasture in view.pastures].index(name) + 1)


def by_initials(view: ZoffView, name: str) -> str:
    """A pasture by its initials."""
    del view
    return initials(name).upper()


def by_name(view: ZoffView, name: str) -> str:
    """A pasture by its name, small and without marks."""
    del view
    return name.lower().replace("'", "").replace("-", "")


def typed(view: ZoffView, action: object, pasture: PastureForm = by_row) -> str:
    """A legal action of Zoff as it can be typed."""
    match action:
        case Choose():
            pairs = (
                f"{pair.colour or ''} {pasture(view, pair.pasture)} {str(pair.card).lower()}"
                for pair in action.pairs
            )
            return ", ".join(pairs)
        case Settle():
            return " ".join(colour[:2] for _, colour in action.colours)
        case Bid():
            return action.text
        case Pick():
            return action.colour
        case Place():
            return str(action.cows)
        case PlaceBonus():
            return " ".join(pasture(view, name) for name in action.on) or "none"
        case _:
            raise TypeError(f"{action!r} isn't typed")


@dataclass(frozen=True)
class Script:
    """A whole game at one screen: all answers, and the choices that were sealed on the way, by seat."""

    answers: list[str]
    sealed: list[tuple[int, object]]


def script(terminal: AnyGameTerminal, rules: Any, seed: str, chance: int) -> Script:
    """Answers for a game of people only, dealt by the seed that the command is given."""
    rng = random.Random(chance)
    game = terminal.game
    state = game.initial(rules, game.draw(rules, random.Random(f"{seed}/deal")))
    answers: list[str] = []
    sealed: list[tuple[int, object]] = []
    while awaited := game.to_act(state):
        seat = awaited[0]
        action = game.legal(state, seat).sample(rng)
        view: Any = terminal.game.view(state, seat)
        text = typed(view, action) if isinstance(view, ZoffView) else str(action)
        if terminal.is_secret(view):
            answers += ["", text, ""]
            sealed.append((seat, action))
        else:
            answers.append(text)
        state = game.apply(state, seat, action).state
    return Script(answers, sealed)
