"""Simulations: complete, valid, repeatable."""

import json
import os
import pty
import subprocess
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import pytest

from stampede.bots import RandomBot
from stampede.core.json import JsonObject
from stampede.core.replay import replay
from stampede.games import GAMES, game_named
from stampede.lab import SimulationPlan, Summary, seed_for, simulate
from stampede.lab.shards import JobFolder
from stampede.lab.simulate import play_one
from tests.cli.helpers import STAMPEDE, ending, environment, invoke, records_in, run
from tests.waiting import PATIENCE, wait_until

VARIANTS = ("auction", "fair", "open_discards")
SETS = [set_ for size in range(4) for set_ in combinations(VARIANTS, size)]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("variants", SETS, ids=lambda variants: "+".join(variants) or "plain")
def test_records_of_zoff_are_valid_for_all_players_and_variants(
    players: int, variants: tuple[str, ...], tmp_path: Path
) -> None:
    """Z2.1, Z11.3: any number of players, any variants together."""
    file = tmp_path / "games.jsonl"
    switches = ",".join(variants)
    result = invoke(
        *("simulate", "zoff", "--games", 2, "--players", players, "--variant", switches),
        *("--seed", 1, "--records", file),
    )
    assert result.exit_code == 0, result.output
    records = records_in(file)
    assert len(records) == 2
    for index, record in enumerate(records):
        assert record.rules["players"] == players
        assert {name for name in VARIANTS if record.rules[name]} == set(variants)
        assert all((seat.kind, seat.bot) == ("bot", "random") for seat in record.seats)
        assert (record.meta["seed"], record.meta["index"]) == (1, index)
        assert record.result is not None
    assert invoke("record", "check", file).exit_code == 0


def test_records_of_buffalo_are_valid(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert invoke("simulate", "buffalo", "--games", 20, "--records", file).exit_code == 0
    assert len(records_in(file)) == 20
    assert invoke("record", "check", file).exit_code == 0


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    texts = []
    for name, seed in (("a", "x"), ("b", "x"), ("c", "y")):
        file = tmp_path / name
        invoke("simulate", "zoff", "--games", 3, "--seed", seed, "--records", file)
        texts.append(file.read_bytes())
    assert texts[0] == texts[1] != texts[2]


def test_a_game_depends_on_seed_and_index_alone() -> None:
    spec = game_named("zoff")
    rules: JsonObject = {"edition": "fx-schmid-1998-r1", "players": 3, "auction": True}
    plan = SimulationPlan(spec.game, rules, (RandomBot(),) * 3, 4, "s")
    in_order = [played.record for played in simulate(plan)]
    assert [play_one(plan, index).record for index in (3, 1)] == [in_order[3], in_order[1]]
    assert [played.record for played in simulate(plan, start=2)] == in_order[2:]
    assert seed_for("s", 3, "deal") == "s/3/deal"


def test_other_bots_play_the_same_deals() -> None:
    """The deal has a stream of chance of its own."""

    class First:
        name = "first"

        def choose(self, view, rng):  # type: ignore[no-untyped-def]
            del rng
            return next(iter(view.legal))

    spec = game_named("zoff")
    rules: JsonObject = {"edition": "fx-schmid-1998-r1", "players": 4}
    setups = [
        [p.record.setup for p in simulate(SimulationPlan(spec.game, rules, (bot,) * 4, 3, 7))]
        for bot in (RandomBot(), First())
    ]
    assert setups[0] == setups[1]


@pytest.mark.parametrize("name", GAMES)
def test_a_summary_counts_every_game_once(name: str) -> None:
    spec = game_named(name)
    rules: JsonObject = {"edition": "fx-schmid-1998-r1", "players": 2} if name == "zoff" else {}
    summary = Summary(2)
    played = list(simulate(SimulationPlan(spec.game, rules, (RandomBot(),) * 2, 12, 1)))
    for game in played:
        summary.add(game)
        replay(spec.game, game.record)
    assert summary.games == sum(summary.lengths.values()) == sum(summary.reasons.values()) == 12
    assert sum(summary.wins) == pytest.approx(12)
    assert bool(summary.scores) == bool(summary.colour_wins) == (name == "zoff")


def test_the_report_for_programs_is_one_object_and_repeatable() -> None:
    arguments = ("simulate", "zoff", "--games", 5, "--players", 3, "--seed", 4, "--json")
    reports = [json.loads(invoke(*arguments).stdout) for _ in range(2)]
    for report in reports:
        assert report.pop("seconds") > 0
        assert report.pop("games_per_second") > 0
    assert reports[0] == reports[1]
    assert reports[0]["games"] == 5
    assert len(reports[0]["wins"]) == len(reports[0]["mean_scores"]) == 3


def test_a_pipe_gets_no_progress_bar_and_no_colours(tmp_path: Path) -> None:
    done = run(tmp_path, "simulate", "buffalo", "--games", "5")
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "\r" not in done.stdout


def test_a_terminal_gets_a_progress_bar_on_standard_error(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    child = os.fork()
    if child == 0:  # the command, with the terminal as standard error only
        os.dup2(follower, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        command = [STAMPEDE, "simulate", "buffalo", "--games", "5"]
        os.execve(STAMPEDE, command, environment(tmp_path, {"TERM": "xterm"}))  # noqa: S606
    os.close(follower)
    seen = b""
    try:
        while part := os.read(leader, 4096):
            seen += part
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert b"Playing" in seen
    assert b"5/5" in seen


def test_records_can_go_to_a_device(tmp_path: Path) -> None:
    """Nothing takes the place of what is no regular file."""
    assert invoke("simulate", "buffalo", "--games", 2, "--records", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()
    assert list(tmp_path.iterdir()) == []


def test_an_edition_of_an_owner_is_played_and_checked(tmp_path: Path) -> None:
    """Z1.2: the data is an input."""
    shipped = Path(__file__).parents[2] / "src/stampede/zoff/edition.toml"
    text = shipped.read_text(encoding="utf-8").replace("fx-schmid-1998-r1", "my-box")
    edition = tmp_path / "mine.toml"
    edition.write_text(text.replace("capacity = 21", "capacity = 20"), encoding="utf-8")
    file = tmp_path / "games.jsonl"
    command = ("simulate", "zoff", "--edition", edition, "--seats", "zoff-2,random,zoff-1")
    made = invoke(*command, "--games", 2, "--records", file)
    assert made.exit_code == 0, made.output
    assert records_in(file)[0].rules["edition"] == "my-box"
    assert '"edition_data":{"edition":{"id":"my-box"' in file.read_text(encoding="utf-8")
    edition.unlink()
    assert invoke("record", "check", file).exit_code == 0, "a record needs no file"
    assert invoke("record", "show", file).exit_code == 0
    edition.write_text(text, encoding="utf-8")
    assert invoke("simulate", "buffalo", "--edition", edition).exit_code == 2


# --- seats, processes, continuing ---

FIRST = """
class First:
    name = "first"
    def choose(self, view, rng):
        return next(iter(view.legal))
"""


def test_each_seat_can_have_its_own_bot(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(FIRST, encoding="utf-8")
    done = run(
        tmp_path,
        *("simulate", "zoff", "--seats", "random,mine:First,random", "--games", 3, "--json"),
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["rules"]["players"] == 3
    assert report["bots"] == ["random", "first", "random"]


def test_several_processes_write_the_same_bytes_as_one(tmp_path: Path) -> None:
    texts = []
    for name, jobs in (("one", 1), ("two", 2)):
        file = tmp_path / name
        command = ("simulate", "buffalo", "--games", 6, "--records", file, "--jobs", jobs)
        result = invoke(*command)
        assert result.exit_code == 0, result.output
        texts.append(file.read_bytes())
    assert texts[0] == texts[1]


def test_a_killed_simulation_continues_and_loses_no_game(tmp_path: Path) -> None:
    """SIGKILL while two processes play: at most their running games are lost, and the hash is the same."""
    command = [STAMPEDE, "simulate", "zoff", "--players", "3", "--games", "60", "--seed", "x"]
    command += ["--json", "--jobs", "2", "--out", "games"]

    def written() -> int:
        return sum(path.stat().st_size for path in (tmp_path / "games").glob("shard-*"))

    with (
        subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process,
        ending(process),
    ):
        wait_until("some games are kept", lambda: written() > 0 or process.poll() is not None)
        process.kill()
        process.wait(PATIENCE)
    kept = dict(JobFolder(tmp_path / "games").lines())
    assert kept
    again = run(tmp_path, *command[1:])
    assert again.returncode == 0, again.stderr
    after = dict(JobFolder(tmp_path / "games").lines())
    assert kept.items() <= after.items()
    whole = tmp_path / "whole.jsonl"
    first = json.loads(invoke(*command[1:-4], "--records", whole).stdout)
    report = json.loads(again.stdout)
    assert report["sha256"] == first["sha256"] == sha256(whole.read_bytes()).hexdigest()
    assert "".join(after.values()) == whole.read_text(encoding="utf-8")
    for timed in ("seconds", "games_per_second"):
        report[timed] = first[timed]
    assert report == first
    third = invoke(
        *[part for part in command[1:-4] if part != "--json"], "--out", tmp_path / "games"
    )
    assert "All 60 games were there." in third.stdout


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (("--seed", "y"), 'expected a folder of this job, got seed "x" (this job: "y")'),
        (("--variant", "fair"), "expected a folder of this job, got parameters"),
        (("--games", "1"), "expected a folder of this job, got items 2 (this job: 1)"),
    ],
)
def test_another_simulations_folder_is_not_continued(
    changed: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    command = ("simulate", "zoff", "--players", 3, "--seed", "x", "--games", 2, "--out", tmp_path)
    assert invoke(*command).exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    result = invoke(*command, *changed)
    assert result.exit_code == 2
    assert message in result.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seats", "random,random,random", "--players", "4"), "--seats: expected 4 bots, got 3"),
        (("--seats", ","), "--seats: expected bots such as zoff-5,zoff-3,random, got none"),
        (("--seats", "random", "--bot", "random"), "expected --bot or --seats, got both"),
        (("--seats", "random,genius,random"), "expected random, zoff-1 to zoff-6, "),
        (("--bot", "no_module:Bot"), "No module named 'no_module'"),
    ],
    ids=str,
)
def test_wrong_seats_are_refused_in_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    result = invoke("simulate", "zoff", *arguments, "--out", tmp_path / "games")
    assert result.exit_code == 2
    assert not (tmp_path / "games").exists()
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_help_names_all_bots() -> None:
    text = " ".join(invoke("simulate", "--help").output.replace("│", " ").split())
    for name in ("random", "buffalo-1", "buffalo-10", "zoff-1", "zoff-6", "module:Class"):
        assert name in text
