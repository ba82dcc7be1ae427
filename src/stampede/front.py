"""The front door: what ``import stampede`` offers. Start a game, find a bot, read records."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from stampede.bots import bot_names as own_bot_names
from stampede.bots import find_bot
from stampede.bots.custom import installed_bots
from stampede.core.bot import Bot
from stampede.core.errors import InputError, RecordError, RuleSetError
from stampede.core.events import plain
from stampede.core.game import AnyGame
from stampede.core.json import JsonObject
from stampede.core.playthrough import AnyPlaythrough, Playthrough
from stampede.core.record import GameRecord
from stampede.core.record import read_records as read_lines
from stampede.core.replay import replay as replay_game
from stampede.core.spec import GameSpec
from stampede.games import game_named

if TYPE_CHECKING:
    from stampede.buffalo import BuffaloRules, BuffaloState, BuffaloView, Move, Position
    from stampede.core.game import Viewer
    from stampede.zoff import Deal, Edition, State, ZoffAction, ZoffRules, ZoffView

    # Only editors and type checkers see these two: they know which view each game has.
    class ZoffPlaythrough(Playthrough[ZoffRules, State, ZoffAction, Deal]):
        """A game of Zoff."""

        def view(self, seat: Viewer = None) -> ZoffView: ...

    class BuffaloPlaythrough(Playthrough[BuffaloRules, BuffaloState, Move, Position]):
        """A game of Buffalo."""

        def view(self, seat: Viewer = None) -> BuffaloView: ...


__all__ = ["bot", "bot_names", "new_game", "read_records", "replay"]


@overload
def new_game(
    game: Literal["zoff"],
    *,
    seed: int | str | None = None,
    edition: str | os.PathLike[str] | Edition = ...,
    players: int = ...,
    auction: bool = ...,
    fair: bool = ...,
    open_discards: bool = ...,
    must_place: bool = ...,
    last_cow_counts: bool = ...,
    one_last_card: bool = ...,
    rebid_among_tied: bool = ...,
) -> ZoffPlaythrough: ...


@overload
def new_game(
    game: Literal["buffalo"],
    *,
    seed: int | str | None = None,
    removed: str | Iterable[str] = ...,
    opening_moves: int = ...,
    start: str | Position = ...,
) -> BuffaloPlaythrough: ...


@overload
def new_game(game: str, *, seed: int | str | None = None, **options: object) -> AnyPlaythrough: ...


def new_game(game: str, *, seed: int | str | None = None, **options: object) -> AnyPlaythrough:
    """Starts a game.

    >>> new_game("zoff", players=4, seed=1, fair=True)
    <Zoff in Buffalo, 4 players, round 1 of 5, to act: 0, 1, 2, 3>
    >>> new_game("buffalo", removed="f", start="bbbbb1bbbbb/11/11/11/11/3DDCDD3/11 b - - 0 1")
    <Buffalo, move 1, to act: 0>

    Args:
        game: ``"zoff"`` or ``"buffalo"``.
        seed: The same seed gives the same deal; None draws one at random. Buffalo has no chance.
        options: The rule options of the game. Zoff: ``players`` (2 to 6, default 4), ``auction``, ``fair``,
            ``open_discards``, the house rules ``must_place``, ``last_cow_counts``, ``one_last_card`` and
            ``rebid_among_tied`` (on by default where ``auction`` is), and ``edition``, an id, the path of an edition
            file, or an edition. Buffalo: ``removed`` (files), ``opening_moves``, and ``start``, a position or its FEN.

    Raises:
        InputError: There is no such game, option or value; the message says what is expected.
    """
    if not isinstance(seed, int | str | None):
        raise RuleSetError(f"seed: expected a whole number or a text, got {seed!r}")
    spec = game_named(game)
    rules_of: AnyGame = spec.game
    edition = options.get("edition")
    if spec.with_editions is not None and edition is not None and not isinstance(edition, str):
        source = Path(edition) if isinstance(edition, os.PathLike) else edition
        rules_of, (options["edition"],) = spec.with_editions([source])
        spec = spec.with_choice("edition", str(options["edition"]))
    setup = {key: plain(options.pop(key)) for key in spec.setup_options if key in options}
    rules = rules_of.read_rules(_rule_set(spec, options))
    if setup:
        record = GameRecord(spec.name, rules_of.write_rules(rules), (), setup, ())
        return Playthrough(rules_of, rules, rules_of.read_setup(rules, record))
    return Playthrough(rules_of, rules, rules_of.draw(rules, random.Random(seed)))


def _rule_set(spec: GameSpec, options: dict[str, object]) -> JsonObject:
    known = {option.name: option for option in spec.options}
    for name in options:
        if name not in known:
            expected = ", ".join([*known, *spec.setup_options, "seed"])
            raise RuleSetError(f"{spec.title} has no option {name!r}: expected one of {expected}")
    read = {name: known[name].read(value) for name, value in options.items()}
    players = read.get("players")
    count = players if isinstance(players, int) else spec.usual_seats
    return spec.new_rules(count, read)


def bot(name: str, game: str | None = None) -> Bot:
    """Finds a bot by its name.

    >>> bot("random")
    RandomBot(name='random')

    Args:
        name: ``random``; a level such as ``zoff-5`` or ``buffalo-3``; the name of an entry point of the group
            ``stampede.bots``; or ``module:Class`` for a bot of your own.
        game: The game to play: then the level alone will do.

    Raises:
        InputError: There is no such bot, or it isn't one; the message says what is expected.
        MissingExtra: The bot needs a package that isn't installed; the message has the command.
    """
    if not isinstance(name, str):
        raise InputError(f"bot: expected a name, got {name!r}")
    return find_bot(name, game)


def bot_names(game: str) -> tuple[str, ...]:
    """The names of the bots that play a game: random, the levels, weakest first, then installed ones.

    >>> bot_names("zoff")[:4]
    ('random', 'zoff-1', 'zoff-2', 'zoff-3')
    """
    return (*own_bot_names(game_named(game).name), *sorted(installed_bots()))


def read_records(source: str | os.PathLike[str] | Iterable[str]) -> Iterator[GameRecord]:
    """Reads game records: a file of JSON Lines, or one record.

    >>> game = new_game("buffalo")
    >>> _ = game.play(0, "f7f6")
    >>> for record in read_records([game.record().dumps()]):
    ...     print(record)
    <GameRecord of buffalo: Player 1, Player 2; 1 steps, unfinished>

    Args:
        source: The path of a file, or its lines.

    Raises:
        RecordError: A line is no record; the message names the line.
    """
    if not isinstance(source, str | os.PathLike):
        yield from (record for _, record in read_lines(source))
        return
    with Path(source).open(encoding="utf-8") as lines:
        try:
            yield from (record for _, record in read_lines(lines))
        except (RecordError, UnicodeDecodeError) as error:
            raise RecordError(f"{os.fspath(source)}: {error}") from error


def replay(record: GameRecord) -> AnyPlaythrough:
    """Plays a record again, checking every step against the rules.

    >>> played = new_game("buffalo")
    >>> _ = played.play(0, "f7f6")
    >>> replay(played.record())
    <Buffalo, move 2, to act: 1>

    Raises:
        RecordError: The record isn't a game by the rules; the message names the first wrong step.
    """
    return replay_game(game_named(record.game).game, record)
