"""Estimates of open rungs: about real positions, read as they were written, and the same when measured again."""

from dataclasses import replace

from stampede.buffalo import Position, Side
from stampede.proofs.certificates.shipped import verified_certificates
from stampede.proofs.estimates import (
    EstimateBudget,
    dump_estimates,
    measure_estimate,
    shipped_estimates,
)
from stampede.proofs.results import facts
from tests.repository.files import ROOT

SMALL = EstimateBudget(positions=2_000, games=(300, 400), entries=1 << 12)


def test_the_shipped_file_is_the_one_that_would_be_written() -> None:
    budget, estimates = shipped_estimates()
    text = (ROOT / "src/stampede/proofs/estimates.json").read_text(encoding="utf-8")
    assert dump_estimates(estimates, budget) == text


def test_they_are_about_the_rungs_that_they_name() -> None:
    budget, estimates = shipped_estimates()
    assert len({one.fen for one in estimates}) == len(estimates)
    for one in estimates:
        position = Position.from_fen(one.fen)
        if one.stepped:
            assert one.rung == 0
            assert position == Position.start().play(f"{one.stepped}7{one.stepped}6")
        elif one.rung >= 0:
            assert position == Position.start(one.missing)
            assert len(one.missing) == one.rung
        else:
            stepped = [square for square in position.buffaloes if square.rank == 6]
            assert len(stepped) == 1 - one.rung
            assert position.turn is Side.HUNTER
        assert 0 <= one.hunter_wins <= len(budget.games)
        assert one.likely is None or one.likely.leaves > 1, "a score alone is no tree"
    assert "".join(one.stepped for one in estimates) == "abcdef"


def test_nothing_that_is_proven_is_estimated() -> None:
    proven = {fact.position for fact in facts(verified_certificates())}
    _, estimates = shipped_estimates()
    assert not proven & {Position.from_fen(one.fen) for one in estimates}


def test_a_position_is_measured_the_same_twice() -> None:
    _, estimates = shipped_estimates()
    blank = replace(estimates[0], score=0, hunter_wins=0)
    first = measure_estimate(blank, SMALL)
    assert first == measure_estimate(blank, SMALL)
    assert first.searched == estimates[0].searched, "notes stay as they are"
