"""Whole games at the terminal: typed, kept, taken back, resumed; and secrets stay secrets."""

import json
import re
from pathlib import Path

import pytest

from stampede.buffalo import BuffaloRules
from stampede.cli.terminal import BuffaloTerminal, ZoffTerminal
from stampede.core.record import GameRecord
from stampede.core.replay import replay
from stampede.zoff import Choose, ZoffRules
from tests.cli.helpers import invoke, lines, records_in
from tests.cli.keyboard import script
from tests.cli.screen import WIPE, at_terminal


@pytest.fixture(autouse=True)
def saved_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own folder of saved games."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "stampede"


def only(folder: Path) -> GameRecord:
    """The one game that was saved."""
    (path,) = folder.glob("*.json")
    return records_in(path)[0]


# --- Buffalo ---


def test_two_people_play_a_whole_game_of_buffalo(tmp_path: Path) -> None:
    """B2.1, B3.1: every move typed, to the end."""
    game = script(BuffaloTerminal(), BuffaloRules(), "s", 5)
    file = tmp_path / "game.json"
    result = invoke(
        *("play", "buffalo", "--as", "both", "--names", "Anna,Ben", "--seed", "s", "--save", file),
        answers=lines(game.answers),
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"(Anna|Ben) wins: ", result.output)
    (record,) = records_in(file)
    assert list(record.actions) == game.answers
    assert [(seat.name, seat.kind) for seat in record.seats] == [
        ("Anna", "human"),
        ("Ben", "human"),
    ]
    assert invoke("record", "check", file).exit_code == 0


def test_refused_moves_say_why_and_change_nothing(saved_games: Path) -> None:
    """B2.1, B2.2, B2.4: with the clause."""
    result = invoke(
        *("play", "buffalo", "--as", "both"),
        answers=lines(["a7a5", "d2d3", "z", "a7a6", "f2f4", "a", "undo", "b", "f2f3", "quit"]),
    )
    for clause in ("(B2.2)", "(B2.1)", "(B2.4)"):
        assert clause in result.output
    assert list(only(saved_games).actions) == ["b7b6", "f2f3"]


def test_undo_takes_back_a_persons_move_and_the_bots_answer(saved_games: Path) -> None:
    answers = ["undo", "a", "undo", "b", "c", "undo", "quit"]
    result = invoke("play", "buffalo", "--as", "buffalo", "--seed", 1, answers=lines(answers))
    assert "there is none yet" in result.output
    actions = only(saved_games).actions
    assert len(actions) == 2
    assert actions[0] == "b7b6"


def test_giving_up_ends_the_game_once_confirmed(saved_games: Path) -> None:
    result = invoke("play", "buffalo", answers=lines(["a", "resign", "no", "resign", "yes"]))
    assert result.exit_code == 0
    assert "Hunter wins: the other side has resigned." in result.output
    assert only(saved_games).result == {"winner": 1, "reason": "resigned"}


def test_three_losses_in_a_row_are_followed_by_a_line_about_easier_games(
    saved_games: Path,
) -> None:
    """The weakest level's players are offered a head start, never random moves; a saved win would end the row."""
    told = []
    for level in (2, 2, 2, 1):
        answers = lines(["a", "resign", "yes"])
        told.append(invoke("play", "buffalo", "--bot", level, answers=answers).output)
    assert ["got away" in output for output in told] == [False, False, True, True]
    assert "`--bot 1` plays more gently" in told[2]
    assert "`--opening-moves 2`" in " ".join(told[3].split())
    assert "--bot" not in told[3]
    won = sorted(saved_games.glob("*.json"))[-1]
    won.write_text(won.read_text("utf-8").replace('"winner":1', '"winner":0'), "utf-8")
    again = invoke("play", "buffalo", "--bot", 1, answers=lines(["a", "resign", "yes"]))
    assert "got away" not in again.output


def test_handicaps_and_a_start_of_ones_own(saved_games: Path) -> None:
    """B4.2, B4.3: files without a buffalo, several opening steps."""
    options = ("--as", "both", "--removed", "a,c", "--opening-moves", 2)
    result = invoke("play", "buffalo", *options, answers=lines(["b", "b", "a", "d", "quit"]))
    assert "2 opening steps" in result.output
    assert "another must" in result.output
    record = only(saved_games)
    assert record.rules == {"removed": ["a", "c"], "opening_moves": 2}
    assert list(record.actions) == ["b7b6", "d7d6"]
    fen = "11/b10/11/11/11/3DDCDD3/11 b - - 0 1"
    studied = invoke(
        "play", "buffalo", "--as", "both", "--start", fen, answers=lines(["a", "quit"])
    )
    assert "a6a5" in studied.output


def test_the_ladder_offers_the_next_rung(saved_games: Path) -> None:
    """B4.1, B4.2: the winner gets a handicap, and chooses which buffalo stays out."""
    series = ("play", "buffalo", "--series", "ladder", "--as", "both", "--names", "Anna,Ben")
    answers = ["a", "resign", "yes", "", "aa", "c", "d", "quit"]
    result = invoke(*series, answers=lines(answers))
    assert result.exit_code == 0
    assert "Rung 1: the next game has 1 buffalo fewer" in result.output
    unfinished = [r for p in saved_games.glob("*.json") for r in records_in(p) if r.result is None]
    assert unfinished[0].rules["removed"] == ["c"]
    assert unfinished[0].meta["series"] == {"series": "ladder", "winners": [0]}


def test_a_series_goes_on_after_it_was_saved(saved_games: Path) -> None:
    """B4.4: sides swap; a player who wins on both takes the match."""
    series = ("play", "buffalo", "--series", "both-sides", "--as", "both", "--names", "Anna,Ben")
    first = invoke(*series, answers=lines(["a", "resign", "yes", "", "b", "quit"]))
    assert "the sides are swapped" in first.output
    (path,) = [p for p in saved_games.glob("*.json") if records_in(p)[0].result is None]
    assert [seat.name for seat in records_in(path)[0].seats] == ["Ben", "Anna"]
    second = invoke("play", "--resume", path, answers=lines(["f2f3", "resign", "yes"]))
    assert "Anna has won on both sides" in second.output
    assert second.exit_code == 0


# --- Zoff ---


@pytest.mark.parametrize(
    ("players", "variants"), [(2, ""), (2, "auction"), (3, "auction,fair,open_discards")]
)
def test_people_play_a_whole_game_of_zoff(players: int, variants: str, tmp_path: Path) -> None:
    """Z3.4: and what a seat has sealed isn't on the screen before it is turned over."""
    terminal = ZoffTerminal()
    rules = ZoffRules(
        players,
        auction="auction" in variants,
        fair="fair" in variants,
        open_discards="open_discards" in variants,
    )
    game = script(terminal, rules, "s", 3)
    file = tmp_path / "game.json"
    result = invoke(
        *("play", "zoff", "--players", players, "--human", "all", "--variant", variants),
        *("--seed", "s", "--save", file),
        answers=lines(game.answers),
    )
    assert result.exit_code == 0, result.output
    (record,) = records_in(file)
    assert record.result is not None
    assert replay(terminal.game, record).outcome is not None
    told = [action["pairs"] for action in record.actions if action["type"] == "choose"]  # type: ignore[index, call-overload]
    sealed = [action for _, action in game.sealed if isinstance(action, Choose)]
    assert told == [choice.to_json()["pairs"] for choice in sealed]
    rounds = result.output.split("the cards are turned over")[:-1]
    assert len(rounds) == rules.rounds
    for number, part in enumerate(rounds):
        first = sealed[number * players]
        after_first_seal = "".join(part.split("Enter seals it")[-players:])
        for pair in first.pairs:
            assert re.search(rf"\b{pair.card}\b", part)
            assert not re.search(rf"\b{pair.card}\b", after_first_seal)


def test_a_person_plays_zoff_against_bots_with_all_variants(saved_games: Path) -> None:
    """Z11.3: whatever is typed wrongly is asked again; the first legal answers are typed."""
    options = (
        "play",
        "zoff",
        "--players",
        3,
        "--variant",
        "auction,fair,open_discards",
        "--seed",
        2,
    )
    first = invoke(*options, answers=lines(["x", "1.5", "quit"]))
    assert "expected a bid" in first.output
    (path,) = saved_games.glob("*.json")
    second = invoke("play", "--resume", path, answers=lines(["green", "ll 5, bb 2", "quit"]))
    assert second.exit_code == 0
    assert "Goodbye" in second.output


def test_zoff_has_no_undo_and_no_resigning() -> None:
    result = invoke("play", "zoff", "--seed", 1, answers=lines(["undo", "resign", "quit"]))
    assert result.output.count("expected 2 pairs") == 2


def test_refused_choices_and_placements_say_why(saved_games: Path) -> None:
    """Z3.1, Z3.2: with the clause, and nothing is sealed."""
    answers = ["ll 4m, ll 3d", "ll 4m, dm 4m", "hmm 4m, dm 3d", "quit"]
    result = invoke("play", "zoff", "--players", 5, "--seed", 1, answers=lines(answers))
    assert result.output.count("(Z3.1)") == 2
    assert only(saved_games).actions[0] == {
        "type": "choose",
        "seat": 0,
        "pairs": [["Hang-Man-Mountains", "4M"], ["Dynamite-Mine", "3D"]],
    }


def test_a_sealed_choice_can_be_changed_until_the_last_one_is_in() -> None:
    """Z3.4: before it is sealed, and after, when the screen is handed over."""
    answers = [
        *("", "ll 4m, bb 3d", "no", "ll 4n, bb 3d", "ll 5b, bb 3d", ""),
        *("back", "", "ll 5y, bb 3i", ""),
        *("", "ll 5l, bb 3e", "", "quit"),
    ]
    options = ("play", "zoff", "--players", 3, "--human", "0,1", "--names", "Anna,Ben", "--seed", 1)
    result = invoke(*options, answers=lines(answers))
    assert "Anna: 5Y on Lucky-Lake, 3I on Buzzard-Bluff" in result.output
    assert "Ben: 5L on Lucky-Lake, 3E on Buzzard-Bluff" in result.output
    assert "5B on Lucky-Lake" not in result.output.partition("turned over")[2]


def test_earlier_cow_cards_are_not_told_again() -> None:
    """Z6.1: neither by `log` nor by `why`, nor when a saved game goes on."""
    terminal, rules = ZoffTerminal(), ZoffRules(3)
    game = script(terminal, rules, "s", 3)
    second_round = 9 + next(index for index, answer in enumerate(game.answers[9:]) if answer == "")
    answers = [*game.answers[:second_round], "", "log", "why", "quit"]
    options = ("play", "zoff", "--players", 3, "--human", "all", "--seed", "s", "--save", "z.json")
    with_log = invoke(*options[:-2], answers=lines(answers)).output
    told = with_log.rpartition("press Enter:")[2]
    cards = {str(pair.card) for _, choice in game.sealed[1:3] for pair in choice.pairs}  # type: ignore[attr-defined]
    assert "two pairs" in told
    assert not [card for card in cards if re.search(rf"\b{card}\b", told)]


# --- at a real terminal ---


def test_at_a_terminal_the_screen_is_wiped_between_players(tmp_path: Path) -> None:
    """Z3.4: after seat 0 has sealed, nothing of it is left, not even for the arrow keys."""
    choice = b"ll 4m, bb 3d"
    answers = [b"\n", choice + b"\n", b"\n", b"\n", b"\x1b[A\n", b"\x04"]
    options = ["play", "zoff", "--players", "3", "--human", "0,1", "--seed", "1"]
    seen, code = at_terminal(tmp_path, options, answers)
    assert code == 0, seen
    pages = seen.split(WIPE)
    typed = [number for number, page in enumerate(pages) if choice in page]
    assert len(typed) == 1, "typed on one page only"
    later = b"".join(pages[typed[0] + 1 :])
    assert b"Hand the screen to Pink" in later
    assert b"2D" in later, "the next player sees their own hand"
    for secret in (b"4M", b"3D ", b"4m", b"3d", b"5B"):
        assert secret not in later
    assert b"Goodbye" in later


def test_at_a_terminal_control_c_leaves_politely(tmp_path: Path) -> None:
    seen, code = at_terminal(tmp_path, ["play", "buffalo"], [b"a\n", b"\x03"])
    assert code == 0, seen
    assert b"stampede play --resume" in seen
    assert b"Traceback" not in seen


# --- the menu, saving, words ---


def test_the_menu_leads_to_both_games_and_to_saved_ones(saved_games: Path) -> None:
    answers = [
        *("1", "hunter", "Ben", "", "", "", "random", "e2e3", "quit"),
        *("2", "3", "1", "Anna", "fair", "random", "bb 5b, ll 4m", "quit"),
        *("3", "2", "f2f3", "quit"),
        *("4", "9", "1", "cow", "2", "many", "q"),
    ]
    result = invoke("play", answers=lines(answers))
    assert result.exit_code == 0, result.output
    assert "Ben: e2e3" in result.output
    assert "Anna: 5B on Buzzard-Bluff" in result.output
    assert "Ben: f2f3" in result.output
    assert "B3.1" in result.output
    assert "expected a number of the list, got '9'" in result.output
    assert "got 'cow'" in result.output
    assert len(list(saved_games.glob("*.json"))) == 2
    assert result.output.rstrip().endswith("Goodbye.")


def test_words_help_at_any_time() -> None:
    answers = ["?", "help", "rules", "moves", "why", "log", "board", "table", "quit"]
    result = invoke("play", "buffalo", answers=lines(answers))
    assert result.output.count("Nothing has happened yet.") == 2
    assert "B3.2" in result.output
    assert "buffalo a7" in result.output
    assert result.output.count("The board") == 3


def test_why_tells_the_reasons_of_what_happened(saved_games: Path) -> None:
    """Z4.2: why the order was so."""
    del saved_games
    result = invoke(
        "play", "zoff", "--players", 5, "--seed", 1, answers=lines(["ll 5b, dm 4m", "why", "quit"])
    )
    assert "[Z4.2]" in result.output
    assert "Seat" not in result.output


def test_save_keeps_the_game_under_another_name_from_then_on(tmp_path: Path) -> None:
    taken, fresh = tmp_path / "taken", tmp_path / "fresh.json"
    taken.write_text("precious")
    answers = [
        "a",
        f"save {taken}",
        f"save {tmp_path}/no/such/folder.json",
        f"save {fresh}",
        "b",
        "quit",
    ]
    result = invoke("play", "buffalo", "--seed", 1, answers=lines(answers))
    told = " ".join(result.output.split())  # where lines end depends on the folder's name
    assert "exists already" in told
    assert "No such file or directory" in told
    assert not (tmp_path / "no").exists()
    assert taken.read_text() == "precious"
    assert len(records_in(fresh)[0].actions) == 4
    assert f"--resume {fresh}" in result.output.replace("\n", "")


def test_a_folder_that_cannot_be_written_is_no_reason_not_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    result = invoke("play", "buffalo", "--seed", 1, answers=lines(["a", "quit"]))
    assert result.exit_code == 0
    assert "isn't kept" in result.output


def test_a_saved_game_goes_on_as_if_nobody_had_left(tmp_path: Path) -> None:
    """The bots draw by decision, so that leaving and coming back changes nothing."""
    options = ("play", "buffalo", "--as", "buffalo", "--seed", "x", "--save")
    moves = ["a", "b", "c", "d"]
    straight, parted = tmp_path / "straight.json", tmp_path / "parted.json"
    invoke(*options, straight, answers=lines([*moves, "quit"]))
    invoke(*options, parted, answers=lines([*moves[:2], "quit"]))
    invoke("play", "buffalo", "--resume", parted, answers=lines([*moves[2:], "quit"]))
    assert records_in(straight) == records_in(parted)


def test_an_altered_save_is_refused_with_its_step(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    invoke("play", "buffalo", "--save", file, answers=lines(["a", "b", "quit"]))
    record = json.loads(file.read_text())
    record["actions"][2] = "k7k6"
    file.write_text(json.dumps(record))
    result = invoke("play", "--resume", file)
    assert result.exit_code == 2
    assert "step 2" in result.stderr


def test_a_finished_game_shows_its_result_again(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    invoke("play", "buffalo", "--save", file, answers=lines(["a", "resign", "yes"]))
    result = invoke("play", "--resume", file)
    assert result.exit_code == 0
    assert "Hunter wins" in result.output


def test_bots_alone_can_be_watched() -> None:
    for game in (("zoff", "--human", "none"), ("buffalo", "--as", "none")):
        result = invoke("play", *game, "--seed", 3)
        assert result.exit_code == 0
        assert "The result" in result.output
        assert "--resume" not in result.output
