"""Every clause of the rules is in the rule book, and a test answers for it."""

import ast
import re
from collections import Counter

from stampede.rulebook import read_book
from tests.repository.files import TESTS, functions, parse, python_files

CITED = re.compile(r"\b([ZB]\d+\.\d+)\b")

# Kept here by hand, so that a clause can't vanish from the books and from the tests together.
# fmt: off
CLAUSES_IN_CHAPTER = {
    "Z1": 2, "Z2": 3, "Z3": 4, "Z4": 6, "Z5": 4, "Z6": 3,
    "Z7": 1, "Z8": 1, "Z9": 1, "Z10": 8, "Z11": 4, "Z12": 4,
    "B1": 5, "B2": 5, "B3": 3, "B4": 4,
}
# fmt: on
EXPECTED = {f"{c}.{i + 1}" for c, count in CLAUSES_IN_CHAPTER.items() for i in range(count)}


def cited_by_tests() -> dict[str, list[str]]:
    """Map each cited id to the tests that cite it; a skipped test answers for nothing."""
    citations: dict[str, list[str]] = {}
    for path in python_files(TESTS):
        for function in functions(parse(path)):
            if function.name.startswith("test_") and not is_skipped(function):
                for clause in CITED.findall(ast.get_docstring(function) or ""):
                    citations.setdefault(clause, []).append(f"{path.stem}::{function.name}")
    return citations


def is_skipped(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a marker keeps the test from running, or from failing."""
    marks = {ast.unparse(decorator).split("(")[0] for decorator in function.decorator_list}
    return bool(marks & {"pytest.mark.skip", "pytest.mark.xfail"})


def test_the_books_state_each_clause_exactly_once() -> None:
    stated = Counter(
        clause.id for game in ("zoff", "buffalo") for clause in read_book(game).clauses()
    )
    assert set(stated) == EXPECTED
    assert [clause for clause, times in stated.items() if times > 1] == []


def test_each_clause_is_cited_by_a_test() -> None:
    assert sorted(EXPECTED - set(cited_by_tests())) == []


def test_no_test_cites_a_clause_that_does_not_exist() -> None:
    unknown = {clause: by for clause, by in cited_by_tests().items() if clause not in EXPECTED}
    assert unknown == {}
