"""The registry: every game by its name, with all that differs between the games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from stampede.buffalo import BuffaloAction, BuffaloEvent, BuffaloGame, BuffaloView
from stampede.buffalo.geometry import FILES
from stampede.buffalo.pieces import Side
from stampede.buffalo.records import write_rules
from stampede.buffalo.rules import BUFFALOES, MOST_REMOVED, BuffaloRules
from stampede.buffalo.series import BOTH_SIDES, BOTTOM_RUNG, LADDER, TOP_RUNG
from stampede.buffalo.svg import draw_board as draw_buffalo
from stampede.buffalo.view import view_changes
from stampede.core.errors import RuleSetError
from stampede.core.game import AnyGame
from stampede.core.series import REMATCH
from stampede.core.spec import GameSpec, OptionKind, RatingBoard, RuleOption
from stampede.zoff import Edition, ZoffAction, ZoffEvent, ZoffGame, ZoffView
from stampede.zoff.rules import PLAYERS, ZoffRules
from stampede.zoff.setup import offered_colours
from stampede.zoff.state import SEALED_PHASES
from stampede.zoff.story import story_ms
from stampede.zoff.svg import draw_board as draw_zoff

__all__ = ["GAMES", "game_named"]

# --- Zoff ---


def _zoff_board(players: int) -> RatingBoard:
    return RatingBoard(f"zoff-{players}", "zoff", players)


def _zoff_boards(rules: ZoffRules) -> tuple[RatingBoard, ...] | None:
    """All seats alike: games with the same number of players count together, if they play the shipped edition."""
    if rules.edition_data is not None:
        return None
    return (_zoff_board(rules.players),) * rules.players


def _zoff_options() -> tuple[RuleOption, ...]:
    usual = ZoffRules()
    return (
        RuleOption(
            "edition",
            OptionKind.CHOICE,
            usual.edition,
            "The printed edition whose pastures and cards are used.",
            choices=(usual.edition,),
        ),
        RuleOption(
            "players",
            OptionKind.NUMBER,
            usual.players,
            "How many play.",
            minimum=PLAYERS[0],
            maximum=PLAYERS[-1],
        ),
        RuleOption(
            "auction",
            OptionKind.FLAG,
            usual.auction,
            "Colours are bought by secret bids.",
            "Z11.1",
        ),
        RuleOption(
            "fair",
            OptionKind.FLAG,
            usual.fair,
            "Filling a pasture pays a bonus to the player who did it, before the ranks.",
            "Z11.2",
        ),
        RuleOption(
            "open_discards",
            OptionKind.FLAG,
            usual.open_discards,
            "Played cow cards stay visible.",
            "Z6.1",
        ),
        *_house_rules(),
    )


def _house_rules() -> tuple[RuleOption, ...]:
    def house_rule(
        name: str,
        text: str,
        clause: str,
        *,
        on: bool = False,
        needs: str = "",
        players: tuple[int, ...] = (),
    ) -> RuleOption:
        return RuleOption(
            name,
            OptionKind.FLAG,
            on,
            text,
            clause,
            house=True,
            needs=needs,
            players=players,
        )

    return (
        house_rule("must_place", "A bonus must be used as far as it can be.", "Z5.2"),
        house_rule(
            "last_cow_counts",
            "A player's last cow ends the game, but the most cows win it.",
            "Z6.3",
        ),
        house_rule(
            "one_last_card",
            "On the last open pasture one cow card stands for both colours.",
            "Z10.5",
            players=(2,),
        ),
        house_rule(
            "rebid_among_tied",
            "Bids after a tie rank only the tied players; nobody else is overtaken.",
            "Z11.1",
            on=True,
            needs="auction",
        ),
    )


def _zoff_with_editions(sources: Iterable[object]) -> tuple[AnyGame, tuple[str, ...]]:
    editions = [_read_edition(source) for source in sources]
    return ZoffGame(editions), tuple(edition.id for edition in editions)


def _read_edition(source: object) -> Edition:
    if isinstance(source, Path):
        return Edition.load(source)
    if not isinstance(source, Edition):
        raise RuleSetError(f"edition: expected an id, a file or an edition, got {source!r}")
    return source


ZOFF: Final = GameSpec(
    ZoffGame(),
    "Zoff in Buffalo",
    PLAYERS,
    default_rules=lambda players: ZoffRules(players).to_json(),
    options=_zoff_options(),
    round_of=lambda state: int(state.round),
    colours=lambda players: offered_colours(ZoffRules(players)),
    story_ms=story_ms,
    sealed=lambda state: state.phase in SEALED_PHASES,
    with_editions=_zoff_with_editions,
    draw=draw_zoff,
    rating_boards=tuple(_zoff_board(players) for players in PLAYERS),
    rating_boards_of=_zoff_boards,
    rules_type=ZoffRules,
    view_type=ZoffView,
    event_type=ZoffEvent,
    action_type=ZoffAction,
)

# --- Buffalo ---

SIDES: Final = tuple(side.word for side in Side)
"""Buffalo's sides, by seat."""


def _rung_boards(rung: int) -> tuple[RatingBoard, ...]:
    return tuple(
        RatingBoard(f"buffalo-{side}-{rung}", "buffalo", len(SIDES), side, rung) for side in SIDES
    )


def _buffalo_boards(rules: BuffaloRules) -> tuple[RatingBoard, ...] | None:
    """One board a side, as leading the buffaloes and hunting are different crafts; pools by the rung."""
    return None if rules.rung is None else _rung_boards(rules.rung)


BUFFALO: Final = GameSpec(
    BuffaloGame(),
    "Buffalo",
    (len(SIDES),),
    default_rules=lambda _: write_rules(BuffaloRules()),
    options=(
        RuleOption(
            "removed",
            OptionKind.SUBSET,
            [],
            "The files that start without a buffalo.",
            "B4.2",
            maximum=MOST_REMOVED,
            choices=tuple(FILES),
            handicap=True,
        ),
        RuleOption(
            "opening_moves",
            OptionKind.NUMBER,
            1,
            "How many buffaloes step before the hunter's first move.",
            "B4.3",
            minimum=1,
            maximum=BUFFALOES,
            handicap=True,
        ),
    ),
    series=(REMATCH, LADDER, BOTH_SIDES),
    sides=SIDES,
    open_information=True,
    changes=view_changes,
    setup_options=("start",),
    draw=lambda view: draw_buffalo(view.position, view.last_move),
    rating_boards=tuple(
        board for rung in range(BOTTOM_RUNG, TOP_RUNG + 1) for board in _rung_boards(rung)
    ),
    rating_boards_of=_buffalo_boards,
    rules_type=BuffaloRules,
    view_type=BuffaloView,
    event_type=BuffaloEvent,
    action_type=BuffaloAction,
)

# --- all ---

GAMES: Final[Mapping[str, GameSpec]] = MappingProxyType(
    {spec.name: spec for spec in (ZOFF, BUFFALO)}
)


def game_named(name: str) -> GameSpec:
    """The game of that name; RuleSetError when there is none."""
    if name not in GAMES:
        raise RuleSetError(f"game: expected {' or '.join(GAMES)}, got {name!r}")
    return GAMES[name]
