"""The positions that the pictures of the rules show. They come from the rules: nothing here is drawn by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal, TypeAlias

from stampede.buffalo import Position
from stampede.core.events import JsonFields
from stampede.rulebook.examples import EXAMPLES, THREE, Script, arrange, pastures_of
from stampede.zoff import ZoffRules
from stampede.zoff.events import Precedence
from stampede.zoff.view import PastureView

__all__ = ["MIDDLE", "OPENING", "BoardScene", "LaidCard", "PastureScene", "Scene", "scenes_of"]

FIVE: Final = ("orange", "pink", "green", "blue", "purple")
OPENING: Final = ("a7a6", "d2a5", "k7k6", "h2k5")
MIDDLE: Final = ("f7f6", "f2f3", "f6f5", "f3f4", "e7e6", "f4f5")
ALONE: Final = "11/11/11/5b5/4C6/DD5D2D/11 w - - 0 20"
"""A chief beside a buffalo, and a dog: where each may go."""
BLOCKED: Final = "bbbbbbbbbbb/3DC6/11/11/11/4D1D1D2/11 b - - 0 3"
NEARLY_ACROSS: Final = "11/1b5D3/1D9/9D1/4C6/3b3D3/11 b - - 0 30"
NEARLY_STUCK: Final = "11/11/1b9/1D3b1b3/6CD3/3DD6/11 w - - 0 40"


@dataclass(frozen=True, slots=True)
class LaidCard(JsonFields):
    """A cow card that lies beside a pasture; ``order`` is its place in the precedence there."""

    pasture: str
    colour: str
    card: str
    order: int


@dataclass(frozen=True, slots=True)
class PastureScene(JsonFields):
    """Pastures of Zoff with their herds, and the cards that lie beside them."""

    pastures: tuple[PastureView, ...]
    cards: tuple[LaidCard, ...] = ()
    kind: Literal["pastures"] = field(default="pastures", kw_only=True)


@dataclass(frozen=True, slots=True)
class BoardScene(JsonFields):
    """A position of Buffalo with the last move and arrows for moves."""

    fen: str
    last_move: str | None = None
    arrows: tuple[str, ...] = ()
    kind: Literal["board"] = field(default="board", kw_only=True)


Scene: TypeAlias = PastureScene | BoardScene


@cache
def _zoff() -> Mapping[str, Scene]:
    return dict(_zoff_scenes())


@cache
def _buffalo() -> Mapping[str, Scene]:
    return dict(_buffalo_scenes())


SCENES: Final[Mapping[str, Callable[[], Mapping[str, Scene]]]] = {
    "zoff": _zoff,
    "buffalo": _buffalo,
}


def scenes_of(game: str) -> Mapping[str, Scene]:
    """Returns the scenes of a game by name."""
    return SCENES[game]()


def _zoff_scenes() -> Iterator[tuple[str, Scene]]:
    for name, play in EXAMPLES.items():
        example = play()
        yield f"zoff-{name}-before", PastureScene(pastures_of(example.before))
        yield f"zoff-{name}-after", PastureScene(pastures_of(example.after))
    before_cascade = Script(EXAMPLES["cascade"]().before)
    yield "zoff-full", _look(before_cascade, "Powder-Prairie")
    yield from _single_pair()
    yield from _precedence()
    yield from _law_of_herds()
    yield from _final_bonus()


def _look(script: Script, pasture: str) -> PastureScene:
    """A pasture as it is, with the cards beside it in their order."""
    here = tuple(one for one in pastures_of(script.state) if one.name == pasture)
    turns = [
        turn
        for event in script.events
        if isinstance(event, Precedence) and event.pasture == pasture
        for turn in event.turns
    ]
    cards = [
        LaidCard(pasture, turn.colour, str(turn.card), number)
        for number, turn in enumerate(turns, 1)
    ]
    return PastureScene(here, tuple(cards))


def _single_pair() -> Iterator[tuple[str, Scene]]:
    script = Script(arrange(ZoffRules(3), THREE, {"Lone-Star-Valley": {"orange": 1}}))
    script.choose(0, "Lone-Star-Valley 4M", "Lucky-Lake 2B")
    script.choose(1, "Lucky-Pickle 2D", "Buzzard-Bluff 2J")
    script.choose(2, "Lucky-Pickle 2E", "Buzzard-Bluff 2H")
    yield "zoff-pair-before", _look(script, "Lone-Star-Valley")
    script.place(4)
    after = _look(script, "Lone-Star-Valley")
    yield "zoff-pair-after", PastureScene(after.pastures)


def _precedence() -> Iterator[tuple[str, Scene]]:
    script = Script(arrange(ZoffRules(3), THREE, {"Coffee-Canyon": {"green": 1}}))
    script.choose(0, "Coffee-Canyon 4M", "Buzzard-Bluff 2M")
    script.choose(1, "Coffee-Canyon 4G", "Buzzard-Bluff 2J")
    script.choose(2, "Coffee-Canyon 5F", "Buzzard-Bluff 2H")
    yield "zoff-precedence", _look(script, "Coffee-Canyon")


def _law_of_herds() -> Iterator[tuple[str, Scene]]:
    """The example of Z4.4, and the sheets' own (Z12.1)."""
    herds = {"Lucky-Lake": {"blue": 2, "purple": 3, "green": 5}}
    script = Script(arrange(ZoffRules(5), FIVE, herds))
    for seat, (one, two) in enumerate((("2B", "2M"), ("2D", "2J"), ("2E", "2H"))):
        script.choose(seat, f"Dynamite-Mine {one}", f"Hang-Man-Mountains {two}")
    script.choose(3, "Lucky-Lake 3F", "Hang-Man-Mountains 2P")
    script.choose(4, "Dynamite-Mine 2G", "Hang-Man-Mountains 2I")
    yield "zoff-herds", _look(script, "Lucky-Lake")

    herds = {"Lucky-Lake": {"purple": 3, "blue": 2, "green": 1}}
    script = Script(arrange(ZoffRules(5), FIVE, herds))
    yield "zoff-pasture", _look(script, "Lucky-Lake")
    script.choose(0, "Lucky-Lake 4M", "Hang-Man-Mountains 2M")
    script.choose(1, "Lucky-Lake 4G", "Hang-Man-Mountains 2J")
    script.choose(2, "Lucky-Lake 3S", "Hang-Man-Mountains 2H")
    script.choose(3, "Dynamite-Mine 2F", "Hang-Man-Mountains 2P")
    script.choose(4, "Dynamite-Mine 2G", "Hang-Man-Mountains 2I")
    yield "zoff-example-before", _look(script, "Lucky-Lake")
    script.place(3, 1)
    after = _look(script, "Lucky-Lake")
    yield "zoff-example-after", PastureScene(after.pastures)


def _final_bonus() -> Iterator[tuple[str, Scene]]:
    herds = {"Fire-Fields": {"orange": 6, "pink": 4, "green": 2}}
    script = Script(arrange(ZoffRules(3), THREE, herds, spent=4))
    yield "zoff-final-before", _look(script, "Fire-Fields")
    for seat, hand in enumerate(script.state.hands):
        script.choose(seat, f"Lucky-Pickle {hand[0]}", f"Buzzard-Bluff {hand[1]}")
    script.place_nothing()
    yield "zoff-final-after", _look(script, "Fire-Fields")


def _buffalo_scenes() -> Iterator[tuple[str, Scene]]:
    start = Position.start()
    yield "buffalo-start", BoardScene(start.fen())
    yield "buffalo-steps", _moves_of(start, *"abcdefghijk")
    alone = Position.from_fen(ALONE)
    yield "buffalo-moves", _moves_of(alone, "h2")
    yield "buffalo-chief", _moves_of(alone, "e3")
    yield "buffalo-blocked", BoardScene(BLOCKED)
    yield "buffalo-crossed", _after(Position.from_fen(NEARLY_ACROSS), "d2d1")
    yield "buffalo-stuck", _after(Position.from_fen(NEARLY_STUCK), "g3f4")
    yield "buffalo-fewer", BoardScene(Position.start(removed="c").fen())
    yield "buffalo-opening-turn", BoardScene("1bbbbbbbbb1/b9b/11/11/11/3DDCDD3/11 w - - 0 1")
    opening = _after(start, *OPENING)
    yield "buffalo-opening", opening
    yield "buffalo-capture", _after(Position.from_fen(opening.fen), *MIDDLE)


def _moves_of(position: Position, *places: str) -> BoardScene:
    """A position with the moves that begin on these squares or files."""
    moves = [str(move) for move in position.legal_moves]
    return BoardScene(
        position.fen(), None, tuple(move for move in moves if move.startswith(places))
    )


def _after(position: Position, *moves: str) -> BoardScene:
    for move in moves:
        position = position.play(move)
    return BoardScene(position.fen(), moves[-1])
