"""Every fault that is put into the group-commit writer makes a test fail. Run it with STAMPEDE_MUTANTS=1."""

import os

import pytest

from tests.store.log.writer_mutants import MUTANTS, ROOT, TARGET, Mutant, is_noticed


def test_every_fault_still_fits_the_writer() -> None:
    text = (ROOT / "src" / TARGET).read_text()
    assert [mutant.name for mutant in MUTANTS if text.count(mutant.old) != 1] == []


@pytest.mark.skipif("STAMPEDE_MUTANTS" not in os.environ, reason="long: set STAMPEDE_MUTANTS=1")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_fault_in_the_writer_is_noticed(mutant: Mutant) -> None:
    assert is_noticed(mutant)
