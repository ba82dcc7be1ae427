"""The panel: every reference player is legal and repeatable, found by name, and plays as its description says."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest

from stampede.bots import RandomBot, find_bot
from stampede.bots.buffalo.player import buffalo_bot
from stampede.bots.custom import GROUP
from stampede.buffalo import BuffaloGame, BuffaloRules, Position, Side
from stampede.core.bot import Bot
from stampede.core.errors import InputError
from stampede.core.playthrough import AnyPlaythrough, Playthrough
from stampede.lab.panel import Beginner, Cautious, Greedy, OneMove, TwoMove, Watchful
from stampede.zoff import ZoffGame, ZoffRules

BOTH: tuple[Bot, ...] = (Beginner(), OneMove(), TwoMove())
BUFFALO_ONLY: tuple[Bot, ...] = (Watchful(),)
ZOFF_ONLY: tuple[Bot, ...] = (Greedy(), Cautious())
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def played_buffalo(
    bots: tuple[Bot, Bot], seed: int, rules: BuffaloRules | None = None
) -> AnyPlaythrough:
    chosen = rules or BuffaloRules()
    game = Playthrough(BuffaloGame(), chosen, Position.start(chosen.removed or ""))
    return _play(game, bots, seed)


def played_zoff(bots: tuple[Bot, ...], seed: int, rules: ZoffRules | None = None) -> AnyPlaythrough:
    chosen, game = rules or ZoffRules(players=len(bots)), ZoffGame()
    return _play(Playthrough(game, chosen, game.draw(chosen, random.Random(seed))), bots, seed)


def _play(game: AnyPlaythrough, bots: tuple[Bot, ...], seed: int) -> AnyPlaythrough:
    rng = random.Random(seed)
    while awaited := game.to_act:
        game.play_bot(bots[awaited[0]], rng, awaited[0])
    return game


@pytest.mark.parametrize("bot", [*BOTH, *BUFFALO_ONLY], ids=lambda bot: bot.name)
def test_a_game_of_buffalo_is_legal_and_repeats(bot: Bot) -> None:
    """Every action is checked by the rules."""
    first, second = (played_buffalo((bot, bot), 3) for _ in range(2))
    assert first.outcome is not None
    assert first.steps() == second.steps()


@pytest.mark.parametrize("bot", [*BOTH, *ZOFF_ONLY], ids=lambda bot: bot.name)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_game_of_zoff_is_legal_and_repeats(bot: Bot, players: int) -> None:
    """Settling, bids and picks included."""
    rules = ZoffRules(players=players, fair=True, auction=True)
    first, second = (played_zoff((bot,) * players, 5, rules) for _ in range(2))
    assert first.outcome is not None
    assert first.steps() == second.steps()


def test_the_panel_is_found_by_the_names_that_the_package_registers() -> None:
    registered = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["entry-points"][GROUP]
    for name, path in registered.items():
        assert find_bot(path).name == name
    assert set(registered) == {bot.name for bot in (*BOTH, *BUFFALO_ONLY, *ZOFF_ONLY)}


def test_a_player_refuses_a_view_of_another_game() -> None:
    with pytest.raises(InputError, match="expected a view of Buffalo or Zoff, got str"):
        Beginner().choose("a view", random.Random(1))
    with pytest.raises(InputError, match="expected a view of Buffalo, got str"):
        Watchful().choose("a view", random.Random(1))


def test_a_beginner_crosses_captures_and_blocks() -> None:
    """The lessons' advice: B3.1, B2.4, B2.3."""

    def moved(fen: str) -> str:
        position = Position.from_fen(fen)
        game = Playthrough(BuffaloGame(), BuffaloRules(), position)
        view = game.view(position.turn.value)
        return str(Beginner().choose(view, random.Random(1)))

    assert moved("bbbbbbbbb2/11/11/11/11/3DDCDD2b/11 b - - 0 9") == "k2k1"
    assert moved("bbbb1bbbbbb/11/4b6/5C5/11/3DD1DD3/11 w - - 0 9") == "f4e5"
    assert moved("bbbbbbbbb1b/11/11/11/9b1/3DDCD1D2/11 w - - 0 9") == "i2j2"


def test_a_player_who_judges_the_board_after_one_move_hunts_level_1() -> None:
    """What the panel's hunters who see captures alone never do. Exact: seeds and rules decide every game."""
    watchful, level = Watchful(), buffalo_bot(1)
    won = [played_buffalo((level, watchful), seed).outcome for seed in range(6)]
    assert sum(o is not None and o.winners == (Side.HUNTER,) for o in won) >= 2


def test_a_beginner_beats_random_moves_on_both_sides() -> None:
    """Exact: seeds and rules decide every game."""
    beginner, by_chance = Beginner(), RandomBot()
    as_buffalo = [played_buffalo((beginner, by_chance), seed).outcome for seed in range(20)]
    as_hunter = [played_buffalo((by_chance, beginner), seed).outcome for seed in range(20)]
    assert sum(o is not None and o.winners == (Side.BUFFALO,) for o in as_buffalo) == 20
    assert sum(o is not None and o.winners == (Side.HUNTER,) for o in as_hunter) >= 12
    zoff = [played_zoff((beginner, by_chance), seed).outcome for seed in range(10)]
    assert sum(o is not None and o.winners == (0,) for o in zoff) == 10
