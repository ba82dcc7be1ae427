"""No adapter shows a seat what it may not know: under each, every secret is changed, and what the seat gets stays."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from stampede.core.game import Seat
from stampede.core.playthrough import AnyPlaythrough
from stampede.kernels.rng import new_rng
from stampede.kernels.zoff.vector import layout as at
from stampede.lab.text import TextTable
from tests.lab.vector.other_secrets import change_secrets
from tests.zoff.other_secrets import with_other_secrets

SIZES = [(2, "auction, fair"), (3, ""), (6, "auction, must_place")]
"""Two players settle and hold two colours; six are the most."""


def _change_played(game: AnyPlaythrough, viewer: Seat, rng: random.Random) -> bool:
    """Puts a state with other secrets in the place of the last one; returns whether it differs."""
    before = game.state
    other = with_other_secrets(before, viewer, rng)
    if game.turns:
        game.turns[-1] = game.turns[-1]._replace(state=other)
    else:
        game.start = other
    return bool(other != before)


def _changes(changed: Counter[str], players: int) -> bool:
    """Whether hands, laid pairs and, of two players, dealt pastures were exchanged often."""
    kinds = {"hands", "pairs"} | ({"dealt"} if players == 2 else set())
    return all(changed[kind] > 2 for kind in kinds)


@pytest.mark.parametrize(("players", "variant"), SIZES)
def test_pettingzoo_hides_what_the_rules_hide(players: int, variant: str) -> None:
    """Z3.4, Z6.1, Z10.2: agent by agent and all at once, with the answers that agents before it have given."""
    zoff_v0 = pytest.importorskip("stampede.lab.pettingzoo.zoff_v0")
    aec = zoff_v0.env(players=players, variant=variant)
    parallel = zoff_v0.parallel_env(players=players, variant=variant)
    aec.reset(seed=3)
    parallel.reset(seed=3)
    rng, draws, changed, given = random.Random(1), np.random.default_rng(1), Counter[str](), 0
    for _ in range(60):
        for env in (aec, parallel):
            for seat, agent in enumerate(env.possible_agents):
                before, saved = _shown(env, agent), env.games.save(0)
                changed += change_secrets(env.games, 0, seat, rng)
                assert _shown(env, agent) == before
                env.games.restore(0, saved)
        answers = parallel.games.sample(new_rng(int(draws.integers(1 << 30))))[0]
        for later in reversed(range(int(parallel.games.acting[0].sum()))):
            seat = aec.possible_agents.index(aec.agent_selection)
            seen = {a: _shown(aec, a) for a in aec.agents}
            aec.step(int(answers[seat]))
            if later:  # the last answer shows them all
                assert {a: _shown(aec, a) for a in aec.agents} == seen
                assert not any(aec.infos.values())
                given += 1
        if any(aec.terminations.values()):
            break
        parallel.step(dict(zip(parallel.agents, answers.tolist(), strict=True)))
    assert _changes(changed, players)
    assert given > 5


def _shown(env: Any, agent: str) -> bytes:
    return _bytes(env._observe(agent))


def _bytes(seen: Any) -> bytes:
    return b"".join(part.tobytes() for part in seen.values())


@pytest.mark.parametrize(("players", "variant"), SIZES)
def test_gymnasium_hides_what_the_rules_hide(players: int, variant: str) -> None:
    """Z3.4, Z6.1, Z10.2: one game, in which bots have already sealed their answers, and many at once."""
    gymnasium = pytest.importorskip("gymnasium")
    importlib.import_module("stampede.lab.gymnasium")
    options: dict[str, Any] = {"players": players, "variant": variant, "seat": players - 1}
    one = gymnasium.make("Stampede/Zoff-v0", **options).unwrapped
    many = gymnasium.make_vec("Stampede/Zoff-v0", num_envs=4, **options).unwrapped
    rng, differing, changed = random.Random(1), 0, Counter[str]()
    seen, _ = one.reset(seed=1)
    over = False
    while not over:
        before, text = _bytes(one._seen()), str(one.game.view(one.seat))
        kept = one.game.turns[-1] if one.game.turns else None
        differing += _change_played(one.game, one.seat, rng)
        assert _bytes(one._seen()) == before
        assert str(one.game.view(one.seat)) == text
        if kept is not None:
            one.game.turns[-1] = kept
        seen, _, over, _, _ = one.step(one.action_space.sample(seen["action_mask"]))
    assert differing > 5
    seen, _ = many.reset(seed=1)
    for _ in range(80):
        before = _bytes(many._seen())
        saved = [many.games.save(index) for index in range(4)]
        for index in range(4):
            changed += change_secrets(many.games, index, many.seat, rng)
        assert _bytes(many._seen()) == before
        for index in range(4):
            many.games.restore(index, saved[index])
        seen, *_ = many.step(np.array([rng.choice(np.flatnonzero(m)) for m in seen["action_mask"]]))
    assert _changes(changed, players)


@pytest.mark.parametrize(("players", "variant"), SIZES)
def test_text_hides_what_the_rules_hide(players: int, variant: str) -> None:
    """Z3.4, Z6.1, Z10.2: others' sealed answers, hands and ties, and the pairs that they have laid so far."""
    switches = dict.fromkeys(variant.replace(",", "").split(), True)
    table, rng, differing = (
        TextTable("zoff", seed=2, players=players, **switches),
        random.Random(1),
        0,
    )
    while table.to_act:
        viewer, game = rng.randrange(players), table._played
        before = table.observation(viewer), table.actions(viewer)
        kept, given = game.turns[-1] if game.turns else None, dict(table._given)
        differing += _change_played(game, viewer, rng)
        for other in set(given) - {viewer}:
            table._given[other] = (rng.randrange(at.COWS),)
        assert (table.observation(viewer), table.actions(viewer)) == before
        table._given = given
        if kept is not None:
            game.turns[-1] = kept
        seat = rng.choice(table.to_act)
        table.play(seat, rng.choice(table.actions(seat)))
    assert differing > 20
