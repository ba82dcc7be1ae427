"""How long a round is told: the same steps and figures as in the browser."""

from __future__ import annotations

import re
from pathlib import Path

from stampede.core.events import Event
from stampede.zoff.events import RoundEnded, Sealed
from stampede.zoff.story import STEP_MS, WEIGHTS, story_ms
from tests.matches.sitting import zoff

TIMELINE = (
    Path(__file__).parents[2] / "web" / "src" / "lib" / "games" / "zoff" / "story"
) / "timeline.svelte.ts"


def test_the_browser_tells_a_round_in_the_time_that_clocks_wait() -> None:
    text = TIMELINE.read_text()
    found = re.search(r"normal: (\d+)", text)
    assert found is not None
    assert int(found[1]) == STEP_MS
    weights = re.search(r"const WEIGHTS[^{]*\{(.*?)\}", text, re.DOTALL)
    assert weights is not None
    named = dict(re.findall(r"(\w+): ([\d.]+)", weights[1]))
    assert {kind: round(100 * float(weight)) for kind, weight in named.items()} == WEIGHTS


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
    assert story_ms(reveals) == STEP_MS * 150 // 100


def test_the_time_depends_on_no_card() -> None:
    """Z3.4, Z6.1: a clock that waits longer must not tell what was played face down."""
    sitting = zoff(4, seed=5)
    sitting.sit(0, 1, 2, 3)
    sitting.play_out()
    match, game = sitting.table.state.running, sitting.table.spec.game
    for action in match.actions:
        hidden = game.redact(action.events, match.state, None)
        assert story_ms(action.events) == story_ms(hidden)
