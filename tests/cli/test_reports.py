"""The commands that look at something: perft, positions, editions, rules."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from stampede.buffalo import START_FEN, Position
from stampede.games import GAMES
from stampede.rulebook import LANGUAGES, read_book
from tests.cli.helpers import invoke, run

ROOT = Path(__file__).resolve().parents[2]
EDITION = ROOT / "src/stampede/zoff/edition.toml"


# --- perft ---


@pytest.mark.parametrize(("depth", "total"), [(0, 1), (1, 11), (2, 595), (3, 6433)])
def test_perft_ends_with_the_total_alone_on_the_last_line(depth: int, total: int) -> None:
    for divide in ((), ("--divide",)):
        result = invoke("perft", START_FEN, "--depth", depth, *divide)
        assert result.exit_code == 0
        assert result.stdout.splitlines()[-1] == str(total)
        assert result.stderr == ""


def test_divide_splits_the_total_by_first_moves() -> None:
    rows = invoke("perft", "--depth", 3, "--divide").stdout.splitlines()
    split = dict(row.split(": ") for row in rows[:-1])
    assert set(split) == {str(move) for move in Position.start().legal_moves}
    assert sum(map(int, split.values())) == int(rows[-1])
    report = json.loads(invoke("perft", "--depth", 3, "--divide", "--json").stdout)
    assert {move: str(count) for move, count in report["divide"].items()} == split
    assert report["total"] == 6433


def test_a_fen_needs_no_quotes() -> None:
    assert invoke("perft", *START_FEN.split(), "--depth", 2).stdout == "595\n"


# --- positions ---


def test_a_position_is_shown_with_board_rivers_and_turn() -> None:
    """B1.1: two rivers, rank 7 on top."""
    out = invoke("buffalo", "show").stdout
    rows = out.splitlines()
    assert [row.split()[0] for row in rows[1:10] if not row.strip().startswith("~")] == list(
        "7654321"
    )
    assert [index for index, row in enumerate(rows) if "~~~" in row] == [2, 8]
    assert "the buffalo side is to move" in out
    report = json.loads(invoke("buffalo", "show", "--json").stdout)
    assert report["fen"] == START_FEN
    assert len(report["legal"]) == 11


def test_a_position_that_is_over_says_who_has_won() -> None:
    """B3.1, B3.2: the two ends."""
    crossed = invoke("buffalo", "show", "11/11/11/11/11/3DDCDD3/b10 w - - 0 9").stdout
    assert "The buffalo side has won" in crossed
    assert (
        "The hunter has won"
        in invoke("buffalo", "show", "11/11/11/11/11/3DDCDD3/11 b - - 0 9").stdout
    )


def test_a_picture_is_written(tmp_path: Path) -> None:
    file = tmp_path / "board.svg"
    assert invoke("buffalo", "show", "--svg", file).exit_code == 0
    assert ET.parse(file).getroot().tag.endswith("svg")  # noqa: S314 - our own file


# --- editions ---


def test_the_shipped_edition_is_shown_with_its_sources() -> None:
    """Z1.1, Z1.2: every value says where it is known from."""
    out = invoke("zoff", "edition", "show").stdout
    assert "Lone-Star-Valley" in out
    assert "reconstructed" in out
    report = json.loads(invoke("zoff", "edition", "show", "--json").stdout)
    assert len(report["pastures"]) == 12
    assert {s for p in report["pastures"] for s in p["source"].values()} >= {"seed", "public"}
    assert invoke("zoff", "edition", "show", EDITION).stdout == out
    assert invoke("zoff", "edition", "check").exit_code == 0
    assert json.loads(invoke("zoff", "edition", "check", "--json").stdout)["valid"] is True


def test_seven_known_letters_are_told() -> None:
    """Z1.2: letters have sources, too."""
    assert "of 64 letters 7 are known" in invoke("zoff", "edition", "show").stdout
    report = json.loads(invoke("zoff", "edition", "show", "--json").stdout)
    sources = report["letter_sources"]
    assert sources["orange"]["4M"] == sources["blue"]["4M"] == "seed"
    assert sources["orange"]["4N"] == "reconstructed"
    assert report["sources"]["reconstructed"] == 71


def test_a_new_edition_is_a_commented_copy_that_is_never_overwritten(tmp_path: Path) -> None:
    """Z1.2: with an id of its own; what was corrected stays."""
    file = tmp_path / "my box.toml"
    assert invoke("zoff", "edition", "new", file, "--title", 'Anna"s box').exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# Zoff in Buffalo")
    checked = json.loads(invoke("zoff", "edition", "check", file, "--json").stdout)
    assert checked == {"valid": True, "id": "my-box", "title": 'Anna"s box'}
    file.write_text(text.replace("capacity = 21", "capacity = 20"), encoding="utf-8")
    assert invoke("zoff", "edition", "check", file).exit_code == 0
    again = invoke("zoff", "edition", "new", file)
    assert again.exit_code == 2
    assert "expected a new file" in again.stderr
    assert "capacity = 20" in file.read_text(encoding="utf-8")
    for wrong in ("fx-schmid-1998-r1", "my box"):
        refused = invoke("zoff", "edition", "new", tmp_path / "other.toml", "--id", wrong)
        assert refused.exit_code == 2
        assert not (tmp_path / "other.toml").exists()


def test_the_shipped_id_with_other_data_is_refused(tmp_path: Path) -> None:
    """Z1.2: a changed copy doesn't replace the shipped edition."""
    file = tmp_path / "changed.toml"
    text = EDITION.read_text(encoding="utf-8").replace("capacity = 21", "capacity = 20")
    file.write_text(text, encoding="utf-8")
    refused = invoke("simulate", "zoff", "--edition", file, "--games", 1)
    assert refused.exit_code == 2
    assert "edition.id: expected another id" in refused.stderr


def test_a_wrong_cell_is_named_with_exit_code_1(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    text = EDITION.read_text(encoding="utf-8").replace("capacity = 14", 'capacity = "many"')
    file.write_text(text, encoding="utf-8")
    result = invoke("zoff", "edition", "check", file)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{file}: pasture[4].capacity: expected")
    report = invoke("zoff", "edition", "check", file, "--json")
    assert report.exit_code == 1
    assert json.loads(report.stdout)["cell"] == "pasture[4].capacity"


# --- rules ---


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_shown_whole_in_every_language(game: str, language: str) -> None:
    book = read_book(game, language)
    out = invoke("rules", game, "--language", language).stdout
    assert out.startswith(book.title)
    assert all(f"\n{clause.id} " in out for clause in book.clauses())
    assert all(section.title in out for section in book.sections)
    assert "**" not in out
    assert "picture:" not in out
    report = json.loads(invoke("rules", game, "-l", language, "--json").stdout)
    assert list(report["clauses"]) == [clause.id for clause in book.clauses()]


def test_a_clause_or_a_chapter_of_the_rules_is_shown_alone() -> None:
    """Z4.4: by its id in any case, in the language that is asked for."""
    clause = invoke("rules", "zoff", "z4.4", "--language", "fr").stdout
    assert "La loi des troupeaux" in clause
    assert "Z4.5" not in clause
    chapter = invoke("rules", "zoff", "Z4").stdout
    assert "Z4.5" in chapter
    assert "Z5.4" not in chapter
    assert "cascade" in invoke("rules", "zoff", "glossary").stdout


def test_a_search_shows_what_has_all_words_whatever_their_case_and_accents() -> None:
    out = invoke("rules", "zoff", "--search", "reserve PATURAGE", "-l", "fr").stdout
    assert "Z4.3" in out
    assert "Z3.4" not in out


def test_the_rules_without_a_game_are_both_in_short() -> None:
    out = invoke("rules").stdout
    assert all(read_book(game).title in out for game in GAMES)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("chess",), "expected zoff or buffalo"),
        (("zoff", "Z13.1"), "clause: expected Z1.1 to Z12.4"),
        (("zoff", "--language", "pt"), "language: expected one of en, fr, de, it, nl, got 'pt'"),
        (("zoff", "--search", "checkmate"), "search: expected words of the rules in English"),
    ],
)
def test_what_the_rules_do_not_have_is_refused_in_a_line(words: tuple[str, ...], told: str) -> None:
    refused = invoke("rules", *words)
    assert refused.exit_code == 2
    assert told in refused.stderr


# --- JSON ---


def test_json_stands_alone_on_standard_output(tmp_path: Path) -> None:
    commands = (
        ("perft", "--depth", "1"),
        ("buffalo", "show"),
        ("zoff", "edition", "show"),
        ("rules", "zoff"),
        ("simulate", "zoff", "--games", "1"),
    )
    for command in commands:
        done = run(tmp_path, *command, "--json")
        assert done.stderr == ""
        assert isinstance(json.loads(done.stdout), dict)


@pytest.mark.parametrize(
    ("fen", "turn", "winner"),
    [
        ("5b5/11/11/5C5/11/3DD1DD3/11 b - - 0 1", "buffalo", None),
        ("5b5/11/11/5C5/11/3DD1DD3/11 w - - 0 1", "hunter", None),
        ("11/11/11/5C5/11/3DD1DD3/b10 w - - 0 1", "hunter", "buffalo"),
        ("5b5/5C5/11/11/11/3DD1DD3/11 b - - 0 1", "buffalo", "hunter"),
    ],
)
def test_json_names_the_sides_buffalo_and_hunter(fen: str, turn: str, winner: str | None) -> None:
    report = json.loads(invoke("buffalo", "show", fen, "--json").stdout)
    assert report["turn"] == turn
    assert (report["result"] or {}).get("winner") == winner
