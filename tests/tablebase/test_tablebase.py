from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from stampede.core.errors import InputError, ParseError
from stampede.proofs.search.named import build_named
from stampede.tablebase.build import BuildProgress, BuildStopped, build_columns, estimate
from stampede.tablebase.files import BODY, check_file
from stampede.tablebase.spec import TablebaseSpec
from stampede.tablebase.tablebase import Tablebase, open_tablebase, tablebase_folder
from tests.tablebase.brute import Brute, entries


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables are built once for all tests here."""
    return tmp_path_factory.mktemp("tables")


def made(text: str, folder: Path) -> Tablebase:
    return open_tablebase(build_columns(TablebaseSpec.parse(text), folder), check=True)


@pytest.mark.parametrize(
    "text",
    [
        "3/abc/0/-/0",
        "3/abc/1/2abc+3abc+4abc+5abc+6abc/1",
        "3/ab/1/2abc+5a/1",
        "4/ad/2/2abcd+4bc/1",
        "3/abc/2/2ab+3ac/2",
        "4/abcd/1/2ad/1",
        "4/abd/1/2abcd+3abd+4abd+5abd+6abd/1/5c",
        "3/ac/1/2abc+3ac+5ac/1/3b",
        "4/ad/1/2abcd+3ad+5abcd/1/3b+6c",
        "3/ac/0/-/0/2b",
        "5/bcd/1/2abcde+4bcd/1/5ae",
    ],
)
def test_every_entry_is_what_plain_recursion_says(text: str, folder: Path) -> None:
    tablebase = made(text, folder)
    spec, brute, rng = tablebase.spec, Brute(tablebase.spec), random.Random(text)
    total, share = 0, 0.15
    for rows in product(range(6), repeat=len(spec.live)):
        for dogs, chief in entries(spec, rows):
            if rng.random() < share:
                won = brute.wins(rows, dogs, chief)
                total += won
                assert tablebase.wins(rows, dogs, chief) == won, (rows, dogs, chief)
    assert total > 0


@pytest.mark.parametrize("text", ["4/abcd/1/2ad/1", "3/ab/1/2abc+5a/1"])
def test_the_counts_are_those_of_single_entries(text: str, folder: Path) -> None:
    tablebase = made(text, folder)
    counts = {
        rows: sum(
            tablebase.wins(rows, dogs, chief) for dogs, chief in entries(tablebase.spec, rows)
        )
        for rows in product(range(6), repeat=len(tablebase.spec.live))
    }
    assert tablebase.total() == sum(counts.values())
    assert all(tablebase.winning(rows) == count for rows, count in counts.items())


def test_an_entry_and_its_mirror_image_have_the_same_winner(folder: Path) -> None:
    """The same table once with the symmetry, once as halves that have none, so that nothing is folded."""
    left, right = made("4/abd/1/2ab/1", folder), made("4/acd/1/2cd/1", folder)
    assert not left.spec.symmetric
    for rows in product(range(6), repeat=3):
        for dogs, chief in entries(left.spec, rows):
            mirrored = [left.spec.mirrored(square) for square in (*dogs, chief)]
            assert left.wins(rows, dogs, chief) == right.wins(
                rows[::-1], mirrored[:-1], mirrored[-1]
            )


@pytest.mark.parametrize(
    ("text", "won", "placings"),
    [
        ("4/abcd/0/-/0", 20, 20),
        ("5/abcde/0/-/0", 0, 25),
        ("6/abcdef/1/2af/1", 58, 58),
        ("6/abcdef/2/2abcdef/2", 420, 420),
    ],
)
def test_known_facts_at_the_bank(text: str, won: int, placings: int, folder: Path) -> None:
    """The chief holds four buffaloes alone but not five; with a dog on the two corners it holds six."""
    tablebase = made(text, folder)
    assert (tablebase.spec.size - tablebase.spec.dogs) * len(tablebase.spec.placements) == placings
    assert tablebase.winning([0] * len(tablebase.spec.live)) == won


def test_a_hunter_with_more_squares_loses_nothing(folder: Path) -> None:
    small, large = made("4/abcd/1/2ad/1", folder), made("4/abcd/1/2abcd+3bc/1", folder)
    for rows in product(range(6), repeat=4):
        for dogs, chief in entries(small.spec, rows):
            assert small.wins(rows, dogs, chief) <= large.wins(rows, dogs, chief)


def test_a_build_that_is_stopped_and_goes_on_makes_the_same_file(
    folder: Path, tmp_path: Path
) -> None:
    spec = TablebaseSpec.parse("5/abcde/1/2abcde/1")
    whole = build_columns(spec, folder).read_bytes()

    def stop_at(layer: int) -> Callable[[BuildProgress], None]:
        def report(progress: BuildProgress) -> None:
            if progress.layer == layer:
                raise BuildStopped

        return report

    for layer in (20, 9, 3):
        with pytest.raises(BuildStopped):
            build_columns(spec, tmp_path, report=stop_at(layer))
    layers: list[int] = []
    path = build_columns(spec, tmp_path, report=lambda progress: layers.append(progress.layer))
    assert max(layers) <= 4, "it goes on from the last finished layer"
    assert path.read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_build_is_not_resumed_from_damaged_rows(tmp_path: Path) -> None:
    spec = TablebaseSpec.parse("5/abcde/1/2abcde/1")

    def stop(progress: BuildProgress) -> None:
        if progress.layer == 12:
            raise BuildStopped

    with pytest.raises(BuildStopped):
        build_columns(spec, tmp_path, report=stop)
    (part,) = tmp_path.glob("*.part")
    spoilt = bytearray(part.read_bytes())
    spoilt[BODY + 8 * spec.states + 100] ^= 4
    part.write_bytes(spoilt)
    with pytest.raises(InputError, match=f"damaged between bytes {BODY + 8 * spec.states:,} and"):
        build_columns(spec, tmp_path)


def test_damage_is_refused_and_its_place_is_told(folder: Path, tmp_path: Path) -> None:
    sound = made("4/abcd/1/2ad/1", folder)
    path = build_columns(sound.spec, tmp_path)
    whole = path.read_bytes()

    for at, told in (
        (20, "first 4096 bytes"),
        (BODY + 5000, "between bytes 4,096"),
        (-1, "checksums"),
    ):
        spoilt = bytearray(whole)
        spoilt[at] ^= 1
        path.write_bytes(spoilt)
        with pytest.raises(InputError, match=told):
            check_file(path)
    path.write_bytes(whole[:-8])
    with pytest.raises(InputError, match=r"expected .* bytes, got"):
        open_tablebase(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("8", "expected columns/live"),
        ("12/abc/0/-/0", "columns"),
        ("3/abd/0/-/0", "live"),
        ("3/abc/5/2abc/5", "dogs"),
        ("3/abc/1/7abc/1", "squares"),
        ("3/abc/1/2abd/1", "squares"),
        ("3/abc/1/2abc/2", "off"),
        ("3/abc/2/2a/2", "placements"),
        ("3/abc/1/2abc/1/", "guards: expected groups such as 2abc joined by [+], got ''"),
        ("3/ac/1/2abc/1/7b", "guards: expected groups"),
        ("3/ab/1/2abc/1/4d", "guards: expected prairie squares of the tablebase, got 4d"),
        ("3/ab/1/2abc/1/4c+5c", "guards: expected one in a column, in order, got 4c[+]5c"),
        ("3/abc/1/2abc/1/4c", "guards: expected columns that aren't live, got 4c with abc"),
        ("5/abc/3/2abc/3/4de", "guards: expected 4 dogs in all at most, got 3 and 2 guards"),
        ("3/ab/1/2abc+4c+5abc/1/4c", "squares: expected none of a guard .*, got 4c[+]5c"),
        ("3/ab/1/2abc/1/4c/5", "perhaps with /guards"),
    ],
)
def test_a_bad_spec_is_refused_with_the_part_at_fault(text: str, told: str) -> None:
    with pytest.raises(ParseError, match=told):
        TablebaseSpec.parse(text)


def test_a_spec_is_its_text() -> None:
    for text in (
        "8/abcdefgh/3/2abcdefgh/3",
        "10/abij/2/2abc+3de/1",
        "4/abcd/0/-/0",
        "4/ad/0/-/0/3b+6c",
    ):
        assert str(TablebaseSpec.parse(text)) == text


def test_an_estimate_bounds_the_file(folder: Path) -> None:
    spec = TablebaseSpec.parse("5/abcde/1/2abcde/1")
    guess = estimate(spec)
    assert 0 < build_columns(spec, folder).stat().st_size <= guess.most_bytes + BODY + 64


@pytest.mark.parametrize(
    ("text", "max_layer"),
    [
        ("4/abcd/1/2abcd+3bc/1", 9),
        ("4/abd/2/2abcd+3a/1", 7),
        ("5/abde/1/2ae+4c/1", 20),
        ("5/abde/1/2abcde+3ae/1/4c", 8),
    ],
)
def test_a_table_that_ends_near_the_bank_is_the_beginning_of_the_whole(
    text: str, max_layer: int, folder: Path
) -> None:
    whole, near = (
        made(text, folder),
        open_tablebase(build_named(f"{text}@{max_layer}", folder), check=True),
    )
    within = [
        rows for rows in product(range(6), repeat=len(whole.spec.live)) if sum(rows) <= max_layer
    ]
    assert sum(whole.winning(rows) for rows in within) > 0
    for rows in within:
        assert near.winning(rows) == whole.winning(rows), rows
    rng = random.Random(text)
    for rows in rng.sample(within, 30):
        for dogs, chief in entries(whole.spec, rows):
            assert near.wins(rows, dogs, chief) == whole.wins(rows, dogs, chief)


@pytest.mark.parametrize("text", ["4/abcd/1/2abcd+3bc/1@9", "4/abd/1/2abcd/1/4c@15"])
def test_a_partial_build_that_is_stopped_again_and_again_makes_the_same_file(
    text: str, folder: Path, tmp_path: Path
) -> None:
    """Stopped after every few reports: what is solved stays solved, and nothing is left in the end."""
    whole = build_named(text, folder, cores=1).read_bytes()
    begun: list[int] = []

    def stop_after(reports: int) -> Callable[[BuildProgress], None]:
        seen: list[int] = []

        def report(progress: BuildProgress) -> None:
            seen.append(progress.done)
            if len(seen) == reports:
                raise BuildStopped
            if len(seen) == 1:
                begun.append(progress.done)

        return report

    for reports in (7, 20, 9, 26):
        with pytest.raises(BuildStopped):
            build_named(text, tmp_path, cores=1, report=stop_after(reports))
    (journal,) = tmp_path.glob("*.solver/materials.jsonl")
    with journal.open("ab") as file:
        file.write(b"[3, 25")  # killed while it wrote a line
    path = build_named(text, tmp_path, cores=1, report=stop_after(-1))
    assert begun == sorted(begun), "each goes on after the last finished material"
    assert len(set(begun)) > 3
    assert path.read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_partial_build_is_not_resumed_from_damaged_files(tmp_path: Path) -> None:
    def stop(progress: BuildProgress) -> None:
        if progress.done > 500:
            raise BuildStopped

    name = "4/abcd/1/2ad/1@9"
    with pytest.raises(BuildStopped):
        build_named(name, tmp_path, cores=1, report=stop)
    (journal,) = tmp_path.glob("*.solver/materials.jsonl")
    (part,) = tmp_path.glob("*.part")
    sound = journal.read_bytes()
    journal.write_bytes(b"x" + sound)
    with pytest.raises(InputError, match="line 1: expected a solved material"):
        build_named(name, tmp_path, cores=1)
    journal.write_bytes(sound)
    kept = {file: file.read_bytes() for file in journal.parent.glob("*.kept")}
    for file, data in kept.items():
        file.write_bytes(bytes(len(data)))
    with pytest.raises(InputError, match=r"kept: expected results of a build, got damage after"):
        build_named(name, tmp_path, cores=1)
    for file, data in kept.items():
        file.write_bytes(data)
    rows = part.read_bytes()
    spoilt = bytearray(rows)
    spoilt[BODY + 8 * 6**4] ^= 1
    part.write_bytes(spoilt)
    with pytest.raises(InputError, match=f"part: damaged between bytes {BODY + 8 * 6**4:,} and"):
        build_named(name, tmp_path, cores=1)
    part.write_bytes(rows)
    (state,) = tmp_path.glob("*.state")
    told = state.read_bytes()
    state.unlink()
    with pytest.raises(InputError, match=r"state: expected .* words of rows, got 0"):
        build_named(name, tmp_path, cores=1)
    part.write_bytes(rows)
    state.write_bytes(told)
    part.unlink()
    with pytest.raises(InputError, match=r"expected .*part beside .*solver, got no such file"):
        build_named(name, tmp_path, cores=1)


def test_a_table_that_ends_near_the_bank_says_nothing_about_the_rest(folder: Path) -> None:
    near = open_tablebase(build_named("4/abcd/0/-/0@6", folder))
    with pytest.raises(InputError, match="layer 6 at most, got 7"):
        near.winning((4, 3, 0, 0))
    with pytest.raises(InputError, match="layer 6 at most, got 20"):
        near.total()
    for wrong in ("4/abcd/0/-/0@21", "4/abcd/0/-/0@-1", "4/abcd/0/-/0@", "4/abcd/0/-/0@x"):
        with pytest.raises(ParseError, match="expected a layer from 0 to 20"):
            build_named(wrong, folder)
    few, all_of_it = estimate(near.spec, max_layer=6), estimate(near.spec)
    assert few.most_bytes < all_of_it.most_bytes


def test_the_folder_is_named_by_the_environment_and_the_old_name_still_works(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("STAMPEDE_TABLEBASES", str(tmp_path / "new"))
    monkeypatch.setenv("STAMPEDE_TABLES", str(tmp_path / "old"))
    assert tablebase_folder() == tmp_path / "new"
    monkeypatch.delenv("STAMPEDE_TABLEBASES")
    with pytest.warns(FutureWarning, match="is now called STAMPEDE_TABLEBASES"):
        assert tablebase_folder() == tmp_path / "old"
    monkeypatch.delenv("STAMPEDE_TABLES")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert tablebase_folder() == tmp_path / "stampede" / "tables"
