"""Golden playthroughs: whole games as readable text. `make golden` (this module) writes them anew.

Read a change of these files as a change of the rules: line by line.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from stampede.buffalo import BuffaloState
from stampede.buffalo.describe import describe as describe_buffalo
from stampede.core.game import AnyGame
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.playthrough import Playthrough
from stampede.games import GAMES
from stampede.zoff.describe import describe as describe_zoff
from stampede.zoff.rules import HOUSE_RULES, PLAYERS, ZoffRules
from tests.zoff.arranged import filled, with_house_rules

FOLDER = Path(__file__).parent / "texts"
SEED = 1998
HOUSE_SEED = 17
"""With two players a single pasture is open in the last two rounds."""
VARIANTS = {
    "plain": (),
    "auction": ("auction",),
    "fair": ("fair",),
    "open_discards": ("open_discards",),
    "all": ("auction", "fair", "open_discards"),
}
BUFFALO_RULES: dict[str, dict[str, Json]] = {
    "standard": {"removed": [], "opening_moves": 1},
    "ten-fewer": {"removed": list("abcdfghijk"), "opening_moves": 1},
    "opening-of-five": {"removed": [], "opening_moves": 5},
}
DESCRIBE = {"zoff": describe_zoff, "buffalo": describe_buffalo}


def texts() -> Iterator[tuple[str, str]]:
    """Every playthrough with its file name."""
    for players in PLAYERS:
        for variant, switches in VARIANTS.items():
            rules = {**ZoffRules(players).to_json(), **dict.fromkeys(switches, True)}
            yield f"zoff-{players}p-{variant}.txt", playthrough("zoff", rules)
    for players in (2, 4):
        house = with_house_rules(ZoffRules(players, auction=True, fair=True), *HOUSE_RULES)
        yield f"zoff-{players}p-house_rules.txt", tell_house_rules(house)
    for name, data in BUFFALO_RULES.items():
        yield f"buffalo-{name}.txt", playthrough("buffalo", data)


def playthrough(name: str, data: JsonObject) -> str:
    """A random game as text: decisions with what was legal, what happened, what a spectator sees, the record."""
    game: AnyGame = GAMES[name].game
    rng = random.Random(SEED)
    rules = game.read_rules(data)
    played = Playthrough(game, rules, game.draw(rules, rng))
    lines = [f"# {GAMES[name].title}", f"rules: {canonical(game.write_rules(rules))}"]
    lines.append(f"setup: {canonical(game.write_setup(played.start))}")
    while seats := game.to_act(played.state):
        seat = rng.choice(seats)
        legal = game.legal(played.state, seat)
        action = legal.sample(rng)
        text = canonical(game.write_action(action))
        lines.append(f"> seat {seat}, {len(legal)} legal: {text}")
        lines.extend(DESCRIBE[name](event) for event in played.play(seat, action))
        if isinstance(played.state, BuffaloState):
            lines.append(played.state.position.fen())
    middle = played.turns[len(played.turns) // 2].state
    lines.append(f"a spectator's view half-way: {canonical(game.view(middle, None).to_json())}")
    outcome = played.outcome
    assert outcome is not None
    lines.append(f"result: {canonical(game.write_result(played.state, outcome))}")
    return "\n".join(lines) + "\n"


def tell_house_rules(rules: ZoffRules) -> str:
    """A game by house rules of players who fill pastures: so the last pasture and bonuses without a choice occur."""
    played = filled(rules, HOUSE_SEED)
    game = played.game
    lines = [
        f"rules: {canonical(rules.to_json())}",
        f"setup: {canonical(game.write_setup(played.start))}",
    ]
    for turn in played.turns:
        lines.append(f"> seat {turn.seat}: {canonical(turn.action.to_json())}")
        lines.extend(describe_zoff(event) for event in turn.events)
    assert played.outcome is not None
    lines.append(f"result: {canonical(game.write_result(played.state, played.outcome))}")
    return "\n".join(lines) + "\n"


def write() -> None:
    """Writes every file anew and removes those of no playthrough."""
    FOLDER.mkdir(exist_ok=True)
    made = dict(texts())
    for path in FOLDER.glob("*.txt"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
