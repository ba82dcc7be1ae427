"""Saved games go on: those of earlier versions, those of a series, and those of a server's table."""

import json
from pathlib import Path

import pytest

from stampede.core.record import GameRecord
from tests.cli.helpers import invoke, lines, records_in

AGAINST_A_BOT = (
    '{"format":"stampede-record/1","game":"buffalo","rules":{"removed":[],"opening_moves":1},'
    '"seats":[{"name":"Anna","kind":"human"},{"name":"Hunter","kind":"bot","bot":"random"}],'
    '"actions":["a7a6","f2f3","b7b6","h2h3"],"meta":{"seed":"x","check":"0b34c00846e8317a"}}'
)
"""As `stampede play` wrote it before it played through the authority."""
SECOND_RUNG = (
    '{"format":"stampede-record/1","game":"buffalo","rules":{"removed":["c"],"opening_moves":1},'
    '"seats":[{"name":"Anna","kind":"human"},{"name":"Ben","kind":"human"}],'
    '"actions":["d7d6"],"meta":{"seed":"x/2","series":{"series":"ladder","winners":[0]},"check":"4560"}}'
)
RESIGNED_IN_A_SERIES = (
    '{"format":"stampede-record/1","game":"buffalo","rules":{"removed":[],"opening_moves":1},'
    '"seats":[{"name":"Anna","kind":"human"},{"name":"Ben","kind":"human"}],"actions":["a7a6"],'
    '"result":{"winner":0,"reason":"resigned"},'
    '"meta":{"seed":"x/1","series":{"series":"ladder","winners":[]},"check":"0b34"}}'
)


@pytest.fixture(autouse=True)
def saved_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has its own folder of saved games."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "stampede"


def kept(folder: Path, text: str, **changes: object) -> Path:
    """A saved game in a file, with changes to its parts; its checksums go when it has any."""
    data = json.loads(text) | changes
    if changes:
        data["meta"] = {key: value for key, value in data["meta"].items() if key != "check"}
    path = folder / "game.json"
    path.write_text(json.dumps(data))
    return path


def test_a_game_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    file = kept(tmp_path, AGAINST_A_BOT)
    before = GameRecord.loads(AGAINST_A_BOT)
    shown = invoke("play", "--resume", file, answers=lines(["quit"]))
    assert shown.exit_code == 0, shown.output
    assert "Hunter: h2h3" in shown.output
    assert records_in(file) == [before]
    done = invoke("play", "--resume", file, answers=lines(["c", "quit"]))
    assert done.exit_code == 0, done.output
    (after,) = records_in(file)
    assert after.actions[:5] == (*before.actions, "c7c6")
    assert len(after.actions) == 6
    assert (after.seats, after.rules) == (before.seats, before.rules)
    assert after.meta["seed"] == "x"


def test_a_rung_of_an_earlier_version_goes_on_to_the_next(
    tmp_path: Path, saved_games: Path
) -> None:
    """B4.2: the series counts what was won before it was saved."""
    file = kept(tmp_path, SECOND_RUNG)
    answers = ["resign", "yes", "", "ab", "c", "quit"]
    done = invoke("play", "--resume", file, answers=lines(answers))
    assert "Rung 2: the next game has 2 buffaloes fewer" in done.output
    (third,) = (records_in(path)[0] for path in saved_games.glob("*.json"))
    assert third.rules["removed"] == ["a", "b"]
    assert third.meta["series"] == {"series": "ladder", "winners": [0, 0]}
    assert third.meta["seed"] == "x/3"


def test_a_finished_game_of_a_series_leads_to_the_next(tmp_path: Path, saved_games: Path) -> None:
    file = kept(tmp_path, RESIGNED_IN_A_SERIES)
    done = invoke("play", "--resume", file, answers=lines(["", "c", "d", "quit"]))
    assert "Anna wins: the other side has resigned." in done.output
    assert "Rung 1" in done.output
    (second,) = (records_in(path)[0] for path in saved_games.glob("*.json"))
    assert list(second.actions) == ["d7d6"]
    assert records_in(file) == [GameRecord.loads(RESIGNED_IN_A_SERIES)]


def test_leaving_between_two_games_is_no_error(tmp_path: Path) -> None:
    file = kept(tmp_path, RESIGNED_IN_A_SERIES)
    done = invoke("play", "--resume", file, answers=lines(["quit"]))
    assert (done.exit_code, done.output.rstrip()[-8:]) == (0, "Goodbye.")


def test_the_record_of_a_servers_table_goes_on_as_one_game(tmp_path: Path) -> None:
    """There ``meta.series`` is a name."""
    meta = {"series": "rematch", "table": "t", "players": [0, 1]}
    file = kept(tmp_path, AGAINST_A_BOT, meta=meta)
    done = invoke("play", "--resume", file, answers=lines(["c", "quit"]))
    assert done.exit_code == 0, done.output
    assert len(records_in(file)[0].actions) == 6


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"result": {"winner": 0, "reason": "time"}}, "got one that ended: time"),
        ({"result": {"winner": 0, "reason": "resigned"}}, "got one that ended: resigned"),
        ({"meta": {"series": {"series": "tournament", "winners": []}}}, "got 'tournament'"),
        ({"meta": {"series": {"series": "ladder", "winners": [2]}}}, "expected seat 0 or 1, got 2"),
        ({"meta": {"series": {"series": "ladder", "winners": "0"}}}, "winners: expected a list"),
        (
            {"seats": [{"name": "Anna", "kind": "human"}, {"name": "Ben", "kind": "bot"}]},
            "expected one of random",
        ),
    ],
    ids=str,
)
def test_what_cannot_go_on_is_refused_and_stays_as_it_is(
    changes: dict[str, object], problem: str, tmp_path: Path
) -> None:
    """A bot never resigned, time ran out elsewhere, and so on: nothing is written."""
    file = kept(tmp_path, AGAINST_A_BOT, **changes)
    before = file.read_text()
    done = invoke("play", "--resume", file, answers=lines(["c", "quit"]))
    assert done.exit_code == 2, done.output
    assert problem in done.stderr
    assert file.read_text() == before


def test_a_sealed_choice_is_never_written_down(saved_games: Path) -> None:
    """Z3.4: the file tells nothing of the choice, which is made again on resuming."""
    options = ("play", "zoff", "--players", 3, "--human", "0,1", "--seed", 1)
    first = ["", "ll 4m, bb 3d", "", "", "ll 5l, bb 3e", ""]
    started = invoke(*options, answers=lines([*first, "0", "0", "quit"]))
    assert started.exit_code == 0, started.output
    (path,) = saved_games.glob("*.json")
    sealed = ["", "dm 5b, pp 2b", "", "quit"]
    before = records_in(path)[0]
    at_choice = invoke("play", "--resume", path, answers=lines(sealed))
    assert at_choice.exit_code == 0, at_choice.output
    assert "5B" not in json.dumps(records_in(path)[0].actions[len(before.actions) :])


# --- series against bots ---


def test_a_bot_leaves_out_the_outermost_buffalo(saved_games: Path) -> None:
    """B4.2: the choice is the buffalo side's, and a bot has one ready."""
    series = ("play", "buffalo", "--series", "ladder", "--as", "hunter", "--seed", 1)
    done = invoke(*series, answers=lines(["resign", "yes", "", "f2f3", "quit"]))
    assert "Rung 1" in done.output
    assert "which" not in done.output
    (second,) = (
        record
        for path in saved_games.glob("*.json")
        if (record := records_in(path)[0]).result is None
    )
    assert second.rules["removed"] == ["a"]


def test_a_bot_can_win_a_match_on_both_sides() -> None:
    """B4.4: it ends with the decision, and nobody is asked for a further game."""
    series = ("play", "buffalo", "--series", "both-sides", "--names", "Anna", "--seed", 1)
    done = invoke(*series, answers=lines(["resign", "yes", "", "resign", "yes"]))
    assert done.exit_code == 0, done.output
    assert done.output.rstrip().endswith("Player B has won on both sides, and the match (B4.4).")
