"""How long a round is told: the same steps and figures as in the browser."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from stampede.core.events import Event
from stampede.zoff.events import PairTurn, Placed, Precedence, RoundEnded, Sealed
from stampede.zoff.reasons import ZoffReason
from stampede.zoff.story import STEP_MS, TRIVIAL, WEIGHTS, story_ms
from tests.matches.sitting import zoff

PACE = (Path(__file__).parents[2] / "web" / "src" / "lib" / "games" / "zoff" / "story") / "pace.ts"


def test_the_browser_tells_a_round_in_the_time_that_clocks_wait() -> None:
    text = PACE.read_text()
    found = re.search(r"normal: (\d+)", text)
    assert found is not None
    assert int(found[1]) == STEP_MS
    weights = re.search(r"const WEIGHTS[^{]*\{(.*?)\}", text, re.DOTALL)
    assert weights is not None
    named = dict(re.findall(r"(\w+): ([\d.]+)", weights[1]))
    assert {kind: round(100 * float(weight)) for kind, weight in named.items()} == WEIGHTS
    trivial = re.search(r"const TRIVIAL = ([\d.]+)", text)
    assert trivial is not None
    assert round(100 * float(trivial[1])) == TRIVIAL


def test_seals_take_no_time_and_what_is_shown_together_takes_it_once() -> None:
    assert story_ms((Sealed(0), Sealed(1))) == 0
    assert story_ms((RoundEnded(1),)) == STEP_MS * 60 // 100
    sitting = zoff(3, seed=2)
    sitting.sit(0, 1, 2)
    for player in range(3):
        sitting.act(player)
    events: tuple[Event, ...] = sitting.table.state.running.actions[-1].events
    reveals = tuple(event for event in events if getattr(event, "kind", "") == "revealed")
    assert len(reveals) == 3
    assert story_ms(reveals) == STEP_MS * WEIGHTS["revealed"] // 100


def test_what_could_not_be_otherwise_passes_at_double_speed_in_one_step() -> None:
    alone = Precedence(1, "Fire-Fields", (PairTurn(0, "blue", None, ZoffReason("alone", "Z4.2")),))
    forced = Placed(1, 0, "blue", "Fire-Fields", None, 2, 2, forced=True, refused=())
    elsewhere = replace(forced, pasture="Lucky-Lake")
    assert story_ms((alone, forced)) == STEP_MS * TRIVIAL // 100
    assert story_ms((alone, elsewhere)) == 2 * (STEP_MS * TRIVIAL // 100)
    assert story_ms((replace(forced, forced=False),)) == STEP_MS


def test_the_time_depends_on_no_card() -> None:
    """Z3.4, Z6.1: a clock that waits longer must not tell what was played face down."""
    sitting = zoff(4, seed=5)
    sitting.sit(0, 1, 2, 3)
    sitting.play_out()
    match, game = sitting.table.state.running, sitting.table.spec.game
    for action in match.actions:
        hidden = game.redact(action.events, match.state, None)
        assert story_ms(action.events) == story_ms(hidden)
