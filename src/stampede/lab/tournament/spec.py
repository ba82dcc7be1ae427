"""What a tournament is: read from TOML, checked, and written as JSON that any process can be given."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from stampede.buffalo import BuffaloGame, Position
from stampede.core.errors import InputError, StampedeError
from stampede.core.json import Json, JsonObject
from stampede.core.spec import GameSpec
from stampede.games import GAMES, game_named
from stampede.lab.arena.openings import openings_of
from stampede.lab.arena.stats import Sprt

__all__ = ["FORMATS", "UCI", "WEBSOCKET", "PlayerSpec", "TournamentSpec", "read_spec"]

FORMATS: Final = ("round-robin", "gauntlet", "swiss")
TABLES: Final = ("field", "mixed")
RANKINGS: Final = ("wins", "places")
KEYS: Final = (
    *("name", "game", "format", "players", "bouts", "seats", "tables", "rounds", "challengers"),
    *("seed", "openings", "rules", "nodes", "seconds", "grace", "sprt", "anchor", "ranking"),
)
MOST_PLAYERS: Final = 500
MOST_BOUTS: Final = 100_000
PLAYER_KEYS: Final = ("player", "name", "nodes", "seconds")
UCI: Final = "uci:"
WEBSOCKET: Final = "ws:"
ENGINE: Final = "engine"


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player of a tournament.

    Attributes:
        name: Its name in the report.
        player: What plays: a level, a name of the panel, ``module:Class``, ``uci:COMMAND``, ``ws:URL``.
        nodes: Its nodes for a decision, if that is its budget.
        seconds: Its seconds for a decision, if that is its budget.
    """

    name: str
    player: str
    nodes: int | None = None
    seconds: float | None = None

    @property
    def is_remote(self) -> bool:
        """Whether it is behind a WebSocket."""
        return self.player.startswith(WEBSOCKET)

    @property
    def is_engine(self) -> bool:
        """Whether it is an engine that moves from a position: ours with a budget, or a UCI engine."""
        budget = self.player.partition("=")[0] in ("nodes", "seconds", "depth")
        return self.takes_nodes or budget

    @property
    def takes_nodes(self) -> bool:
        """Whether it is an engine that needs a budget beside its name."""
        return self.player == ENGINE or self.player.startswith(UCI)

    def to_json(self) -> JsonObject:
        """The player as JSON."""
        made: dict[str, Json] = {"name": self.name, "player": self.player}
        made |= {} if self.nodes is None else {"nodes": self.nodes}
        return made | ({} if self.seconds is None else {"seconds": self.seconds})


@dataclass(frozen=True, slots=True)
class TournamentSpec:
    """A tournament.

    Attributes:
        name: Its name for people.
        game: The game's name.
        format: ``round-robin``, ``gauntlet`` or ``swiss``.
        players: Who plays.
        bouts: How many deals or openings each pairing plays; in a Swiss tournament, in each round.
        seats: How many sit at a table.
        tables: ``field``: one player among copies of another; ``mixed``: all players of a table differ.
        rounds: The rounds of a Swiss tournament, else 0.
        challengers: The names of those that play everyone else in a gauntlet.
        seed: What all chance is derived from.
        openings: The FENs of Buffalo's openings; none in games that are dealt.
        rules: The rule set.
        grace: The seconds by which a player outside this process may overrun its time.
        sprt: The sequential test between two players that ends the tournament early, if there is one.
        anchor: The player whose rating is given, and the rating; None: the mean of all is 0.
        ranking: What ratings are fitted to: ``wins``, or all ``places`` of a table.
    """

    name: str
    game: str
    format: str
    players: tuple[PlayerSpec, ...]
    bouts: int
    seats: int
    tables: str
    rounds: int
    challengers: tuple[str, ...]
    seed: str
    openings: tuple[str, ...]
    rules: JsonObject
    grace: float
    sprt: Sprt | None
    anchor: tuple[str, float] | None
    ranking: str

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, in the order of the specification."""
        return tuple(player.name for player in self.players)

    def to_json(self) -> JsonObject:
        """The specification as JSON, with all defaults; `TournamentSpec.parse` reads it."""
        test, anchor = self.sprt, self.anchor
        made: dict[str, Json] = {
            "name": self.name,
            "game": self.game,
            "format": self.format,
            "players": [player.to_json() for player in self.players],
            "bouts": self.bouts,
            "seats": self.seats,
            "tables": self.tables,
            "seed": self.seed,
            # A house rule that is off must be named: new games have the usual ones on.
            "rules": {
                **dict.fromkeys(game_named(self.game).house_rules, False),
                **self.rules,
            },
            "grace": self.grace,
            "ranking": self.ranking,
        }
        made |= {"rounds": self.rounds} if self.rounds else {}
        made |= {"challengers": list(self.challengers)} if self.challengers else {}
        made |= {"openings": list(self.openings)} if self.openings else {}
        if test is not None:
            made["sprt"] = {"elo0": test.elo0, "elo1": test.elo1, "risk": test.risk}
        if anchor is not None:
            made["anchor"] = {"player": anchor[0], "rating": anchor[1]}
        return made

    @classmethod
    def parse(cls, data: Mapping[str, object]) -> TournamentSpec:
        """Reads a specification; InputError says what is wrong and what is expected."""
        _known(data, KEYS, "")
        game = game_named(_text(data, "game", choices=tuple(GAMES)))
        players = _players(data)
        names = tuple(player.name for player in players)
        kind = _text(data, "format", "round-robin", FORMATS)
        seats = _seats(data, game)
        tables = _text(data, "tables", "field", TABLES)
        if tables == "mixed" and len(players) < seats:
            raise InputError(
                f"players: expected at least {seats} for mixed tables of {seats}, got {len(players)}"
            )
        rules = _rules(data, game, seats)
        bouts = _number(data, "bouts", 10)
        if bouts > MOST_BOUTS:
            raise InputError(f"bouts: expected at most {MOST_BOUTS}, got {bouts}")
        return cls(
            name=_text(data, "name", f"{game.title}: {kind}"),
            game=game.name,
            format=kind,
            players=players,
            bouts=bouts,
            seats=seats,
            tables="mixed" if seats == 2 else tables,
            rounds=_rounds(data, kind),
            challengers=_challengers(data, kind, names),
            seed=_seed(data),
            openings=_openings(data, game, rules),
            rules=rules,
            grace=_amount(data, "grace", 5.0) or 0.0,
            sprt=_sprt(data, len(players), seats, kind),
            anchor=_anchor(data, names),
            ranking=_text(data, "ranking", "wins", RANKINGS),
        )


def read_spec(path: Path) -> TournamentSpec:
    """Reads a tournament from a TOML file; a file of openings is looked for beside it."""
    try:
        data: dict[str, object] = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: expected TOML, but {error}") from error
    openings = data.get("openings")
    try:
        if isinstance(openings, str):
            file = Path(openings)
            beside = path.parent / file
            found = openings_of(beside if beside.exists() else file)
            data["openings"] = [position.fen() for position in found]
        return TournamentSpec.parse(data)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


# --- reading keys ---


def _known(data: Mapping[str, object], keys: Iterable[str], where: str) -> None:
    for key in data:
        if key not in keys:
            raise InputError(f"{where}{key}: unknown; expected one of {', '.join(keys)}")


def _text(
    data: Mapping[str, object], key: str, default: str | None = None, choices: tuple[str, ...] = ()
) -> str:
    value = data.get(key, default)
    expected = " or ".join(choices) if choices else "a text"
    if not isinstance(value, str) or not value.strip() or (choices and value not in choices):
        raise InputError(
            f"{key}: expected {expected}, got {'nothing' if value is None else value!r}"
        )
    return value


def _number(data: Mapping[str, object], key: str, default: int | None) -> int:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{key}: expected a whole number from 1, got {value!r}")
    return value


def _amount(data: Mapping[str, object], key: str, default: float | None = None) -> float | None:
    value = data.get(key, default)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        raise InputError(f"{key}: expected a number above 0, got {value!r}")
    return float(value)


def _table(data: Mapping[str, object], key: str, keys: tuple[str, ...]) -> dict[str, object] | None:
    value = data.get(key)
    if value is None:
        return None
    if not isinstance(value, dict):
        raise InputError(f"{key}: expected a table with {', '.join(keys)}, got {value!r}")
    if keys:
        _known(value, keys, f"{key}.")
    return value


def _players(data: Mapping[str, object]) -> tuple[PlayerSpec, ...]:
    given = data.get("players")
    if not isinstance(given, list) or len(given) < 2:
        raise InputError(f"players: expected a list of at least two, got {given!r}")
    if len(given) > MOST_PLAYERS:
        raise InputError(f"players: expected at most {MOST_PLAYERS}, got {len(given)}")
    players = tuple(_player(entry, data) for entry in given)
    names = [player.name for player in players]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"players: expected different names, got {twice!r} twice; give one a name")
    return players


def _player(entry: object, data: Mapping[str, object]) -> PlayerSpec:
    """Reads a player; the budget of those that take one and name none is that of the tournament."""
    told: object = {"player": entry} if isinstance(entry, str) else entry
    if not isinstance(told, dict):
        raise InputError(f"players: expected texts or tables, got {entry!r}")
    _known(told, PLAYER_KEYS, "players.")
    player = _text(told, "player")
    plain = PlayerSpec(_text(told, "name", player), player)
    fits = {"nodes": plain.takes_nodes, "seconds": plain.takes_nodes or plain.is_remote}
    unfit = next((key for key, takes in fits.items() if key in told and not takes), None)
    if unfit is not None:
        takers = "engine or uci:" if unfit == "nodes" else "engine, uci: or ws:"
        raise InputError(f"players.{unfit}: expected for {takers} only, got it for {player}")
    named = any(key in told for key in fits)
    budget = told if named else {key: data[key] for key in fits if key in data and fits[key]}
    nodes = _number(budget, "nodes", None) if "nodes" in budget else None
    return replace(plain, nodes=nodes, seconds=_amount(budget, "seconds"))


def _seats(data: Mapping[str, object], game: GameSpec) -> int:
    seats = _number(data, "seats", 2)
    if seats not in game.seats:
        known = ", ".join(map(str, game.seats))
        raise InputError(f"seats: expected {known} in {game.title}, got {seats}")
    return seats


def _rounds(data: Mapping[str, object], kind: str) -> int:
    if kind == "swiss":
        return _number(data, "rounds", None)
    if "rounds" in data:
        raise InputError(f"rounds: expected in a swiss tournament only, got one with {kind}")
    return 0


def _challengers(data: Mapping[str, object], kind: str, names: tuple[str, ...]) -> tuple[str, ...]:
    given = data.get("challengers")
    if kind != "gauntlet":
        if given is not None:
            raise InputError(f"challengers: expected in a gauntlet only, got one with {kind}")
        return ()
    chosen = [names[0]] if given is None else given
    if not isinstance(chosen, list) or not chosen or any(name not in names for name in chosen):
        raise InputError(f"challengers: expected some of {', '.join(names)}, got {given!r}")
    if len(set(chosen)) == len(names):
        raise InputError("challengers: expected others to play against, got all players")
    return tuple(dict.fromkeys(map(str, chosen)))


def _seed(data: Mapping[str, object]) -> str:
    seed = data.get("seed", "0")
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise InputError(f"seed: expected a number or a text, got {seed!r}")
    return str(seed)


def _openings(data: Mapping[str, object], game: GameSpec, rules: JsonObject) -> tuple[str, ...]:
    """The openings as FENs; () in games that are dealt, and where rules are changed and no openings are given."""
    given = data.get("openings")
    if game.name != BuffaloGame.name:
        if given is not None:
            raise InputError(f"openings: expected none, as {game.title} is dealt")
        return ()
    if given is None and rules != game.game.write_rules(
        game.game.read_rules(game.new_rules(2, {}))
    ):
        return ()
    if given is None:
        return tuple(position.fen() for position in openings_of(None))
    if not isinstance(given, list) or not given:
        raise InputError(f"openings: expected a file or a list of FENs, got {given!r}")
    read = game.game.read_rules(rules)
    for fen in given:
        try:
            state = game.game.initial(read, Position.from_fen(str(fen)))
        except StampedeError as error:
            raise InputError(f"openings: {fen}: {error}") from error
        if game.game.outcome(state) is not None:
            raise InputError(f"openings: expected games that aren't over, got {fen}")
    return tuple(Position.from_fen(str(fen)).fen() for fen in given)


def _rules(data: Mapping[str, object], game: GameSpec, seats: int) -> JsonObject:
    given = _table(data, "rules", ()) or {}
    rules = {key: value for key, value in given.items() if value != seats or key != "players"}
    switches: dict[str, Json] = {}
    for option in game.options:
        if option.name in rules and option.name != "players":
            switches[option.name] = option.read(rules.pop(option.name))
    made = game.new_rules(seats, switches)
    left = {key: value for key, value in rules.items() if made.get(key) != value}
    if left:
        known = ", ".join(option.name for option in game.options if option.name != "players")
        raise InputError(f"rules.{min(left)}: unknown; expected one of {known or 'none'}")
    return game.game.write_rules(game.game.read_rules(made))


def _sprt(data: Mapping[str, object], players: int, seats: int, kind: str) -> Sprt | None:
    given = _table(data, "sprt", ("elo0", "elo1", "risk"))
    if given is None:
        return None
    if players != 2 or seats != 2 or kind == "swiss":
        raise InputError(
            f"sprt: expected two players at tables of two, no swiss, got {players} at tables of {seats}"
        )
    return Sprt(
        _real(given, "sprt.elo0", 0.0),
        _real(given, "sprt.elo1", 20.0),
        _real(given, "sprt.risk", 0.05),
    )


def _real(data: Mapping[str, object], where: str, default: float) -> float:
    value = data.get(where.rpartition(".")[2], default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{where}: expected a number, got {value!r}")
    return float(value)


def _anchor(data: Mapping[str, object], names: tuple[str, ...]) -> tuple[str, float] | None:
    given = _table(data, "anchor", ("player", "rating"))
    if given is None:
        return None
    if given.get("player") not in names:
        raise InputError(
            f"anchor.player: expected one of {', '.join(names)}, got {given.get('player')!r}"
        )
    return str(given["player"]), _real(given, "anchor.rating", 1000.0)
