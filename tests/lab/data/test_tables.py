"""Games as tables: the same games come back, in any program that reads Parquet."""

from __future__ import annotations

import json
import random
import signal
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from stampede.bots import find_bot
from stampede.core.errors import InputError
from stampede.core.json import JsonObject
from stampede.core.record import GameRecord, SeatInfo
from stampede.core.replay import replay
from stampede.games import game_named
from stampede.lab import SimulationPlan, simulate
from stampede.lab.data import Dataset, Exported, export, record_lines
from stampede.lab.data.heads import read_head
from tests.cli.helpers import STAMPEDE, invoke, records_in

ZOFF = game_named("zoff").game
BUFFALO = game_named("buffalo").game
BOTH = pytest.mark.parametrize("game", ["zoff", "buffalo"])


def zoff_records() -> list[GameRecord]:
    """A game of every size, some with an auction, fair bonuses and a house rule."""
    edition: JsonObject = {"edition": "fx-schmid-1998-r1"}
    found = []
    for players in range(2, 7):
        options: JsonObject = {
            "auction": players % 2 == 0,
            "fair": players > 3,
            "must_place": players == 5,
        }
        rules = {**edition, "players": players, **options}
        bots = (find_bot("random", "zoff"),) * players
        plan = SimulationPlan(
            ZOFF, ZOFF.write_rules(ZOFF.read_rules(rules)), bots, 2, f"data {players}"
        )
        found += [played.record for played in simulate(plan)]
    return found


def buffalo_records() -> list[GameRecord]:
    """Games from the start, on a rung with several opening moves, and from a position with the hunter to move."""
    bots = (find_bot("random", "buffalo"),) * 2
    found = []
    rungs: tuple[JsonObject, ...] = ({}, {"removed": ["b", "d"], "opening_moves": 3})
    for rules in rungs:
        plan = SimulationPlan(BUFFALO, BUFFALO.write_rules(BUFFALO.read_rules(rules)), bots, 2, 5)
        found += [played.record for played in simulate(plan)]
    played = replay(BUFFALO, replace(found[0], actions=found[0].actions[:5], result=None, meta={}))
    started = replace(found[0], setup={"start": played.state.position.fen()}, meta={})
    return [*found, replace(started, actions=found[0].actions[5:])]


def written(records: list[GameRecord], folder: Path, *, states: bool = True) -> Exported:
    lines = [(f"line {index}", record.dumps().encode()) for index, record in enumerate(records)]
    return export(lines, folder, states=states)


def records_of(game: str) -> list[GameRecord]:
    return zoff_records() if game == "zoff" else buffalo_records()


@BOTH
def test_the_same_games_come_back_and_rounds_are_those_of_the_rules(
    game: str, tmp_path: Path
) -> None:
    records = records_of(game)
    done = written(records, tmp_path / "tables")
    data = Dataset(tmp_path / "tables")
    back = list(data.records())
    for before, after in zip(records, back, strict=True):
        meta = {key: value for key, value in before.meta.items() if key != "check"}
        assert json.loads(after.dumps()) == json.loads(replace(before, meta=meta).dumps())
        replay(game_named(game).game, after)
    steps = data.arrow("steps").to_pylist()
    assert done.steps == len(steps) == sum(len(record.actions) for record in records)
    by_key = {(row["game"], row["step"]): row for row in steps}
    states = data.arrow("states").to_pylist()
    for state in states:
        row = by_key[state["game"], state["step"]]
        assert row["seat"] == state["seat"]
        if "phase" in state:
            before_choice = state["phase"] in {"settle", "bid", "pick"}
            assert row["round"] == (0 if before_choice else state["round"])
    decided = [record.meta["decisions"] for record in records if "decisions" in record.meta]
    assert sum(row["game"] < len(decided) for row in states) == sum(map(int, map(str, decided)))
    games = data.arrow("games").to_pylist()
    for row in games:
        rounds = [step["round"] for step in steps if step["game"] == row["game"]]
        assert row["rounds"] == max(rounds)
        assert all(later - earlier in (0, 1) for earlier, later in pairwise(rounds))


def test_the_hunters_moves_end_the_rounds_of_buffalo(tmp_path: Path) -> None:
    written(buffalo_records(), tmp_path / "tables", states=False)
    steps = Dataset(tmp_path / "tables").arrow("steps").to_pylist()
    shown = {
        game: [(row["round"], row["seat"]) for row in steps if row["game"] == game][:5]
        for game in (0, 2, 4)
    }
    assert shown == {
        0: [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0)],
        2: [(1, 0), (1, 0), (1, 0), (1, 1), (2, 0)],
        4: [(1, 1), (2, 0), (2, 1), (3, 0), (3, 1)],
    }


def test_states_show_what_is_on_the_table(tmp_path: Path) -> None:
    """The herds before each placement grow by the placed cows; a position follows from the moves before it."""
    written(zoff_records()[2:4], tmp_path / "zoff")
    data = Dataset(tmp_path / "zoff")
    states = data.arrow("states").to_pylist()
    for row in states:
        assert len(row["herds"]) == len(row["pastures"]) * len(row["colours"])
        own = len(row["colours"])
        placed = [sum(row["herds"][colour::own]) for colour in range(own)]
        total = {sum(pair) for pair in zip(placed, row["reserves"], strict=True)}
        assert len(total) == 1, "each colour has the same number of cows"
    written(buffalo_records()[:1], tmp_path / "buffalo")
    rows = Dataset(tmp_path / "buffalo").arrow("states").to_pylist()
    played = replay(BUFFALO, buffalo_records()[0])
    before = [played.start, *(turn.state for turn in played.turns)]
    assert [row["fen"] for row in rows] == [state.position.fen() for state in before[:-1]]


@BOTH
def test_pandas_and_polars_load_the_same_rows(game: str, tmp_path: Path) -> None:
    written(records_of(game), tmp_path / "tables")
    data = Dataset(tmp_path / "tables")
    for table in data.tables:
        rows = data.arrow(table).to_pylist()
        assert data.polars(table).to_dicts() == rows
        frame = data.pandas(table)
        assert list(frame.columns) == data.arrow(table).schema.names
        assert frame["game"].tolist() == [row["game"] for row in rows]
    assert str(data.pandas("seats", ["kind"]).dtypes["kind"]) == "category"
    assert data.pandas("seats").groupby("seat")["won"].count().sum() == len(data.pandas("seats"))


def test_a_simulation_becomes_tables_and_records_again(tmp_path: Path) -> None:
    games, tables, again = tmp_path / "games", tmp_path / "tables", tmp_path / "again.jsonl"
    play = ("simulate", "buffalo", "--games", 5, "--seed", 1, "--out", games)
    assert invoke(*play).exit_code == 0
    result = invoke("data", "export", games, "--to", "parquet", "--out", tables, "--json")
    report = json.loads(result.stdout)
    assert (report["game"], report["games"]) == ("buffalo", 5)
    assert set(report["bytes"]) == {"games", "seats", "steps"}
    assert invoke("data", "records", tables, "--out", again).exit_code == 0
    assert invoke("record", "check", again).exit_code == 0
    first = [GameRecord.loads(line.decode()) for _, line in record_lines(games)]
    assert [record.actions for record in records_in(again)] == [record.actions for record in first]


def test_a_record_that_others_wrote_is_read_as_ours() -> None:
    """Blanks, another order of keys, and names and keys that look like the places where we cut."""
    ours = zoff_records()[2]
    tricky = replace(
        ours,
        seats=(SeatInfo('],"result":{ ,"actions":['), *ours.seats[1:]),
        meta={"note": {"actions": [1], "result": {}}, "more": [[1], {"meta": {}}]},
    )
    without = {**tricky.to_json(), "actions": []}
    keys = list(tricky.to_json())
    random.Random(1).shuffle(keys)
    shuffled = {key: tricky.to_json()[key] for key in keys}
    extra = {**tricky.to_json(), "actions": [{"x": [1], "result": {}}, {"meta": {}}]}
    for value in (tricky.to_json(), shuffled, extra):
        for text in (json.dumps(value), json.dumps(value, separators=(",", ":"))):
            assert read_head(text.encode()) == GameRecord.from_json(without)


def test_bad_input_is_named_and_leaves_no_folder(tmp_path: Path) -> None:
    good, other = zoff_records()[0].dumps(), buffalo_records()[0].dumps()
    step = json.loads(good)
    del step["actions"][3]["seat"]
    pair = json.loads(good)
    next(found for found in pair["actions"] if found["type"] == "choose")["pairs"][0][1:] = []
    wrong = {
        "expected a record on one line, but": "{",
        'format: expected "stampede-record/1", got null': '{"game": "zoff"}',
        "expected a game of zoff, got buffalo": other,
        "actions: ": good.replace('"seat":0', '"seat":"x"'),
        "expected a type and a seat in every step": json.dumps(step),
        "expected a pasture and a card in every pair": json.dumps(pair),
    }
    for message, line in wrong.items():
        with pytest.raises(InputError, match="second.*" + message.replace("(", r"\(")):
            export([("first", good.encode()), ("second", line.encode())], tmp_path / "tables")
    with pytest.raises(InputError, match="expected records, got none"):
        export([], tmp_path / "tables")
    altered = good.replace('"cows":1', '"cows":9', 1)
    with pytest.raises(InputError, match=r"first: .*"):
        export([("first", altered.encode())], tmp_path / "tables", states=True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "letter.txt").touch()
    with pytest.raises(InputError, match="expected a new or an empty folder"):
        export([("first", good.encode())], tmp_path / "tables")


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs a limit on the size of files")
def test_a_full_disk_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    """As on a full disk: the system refuses a write."""
    file = tmp_path / "games.jsonl"
    file.write_text("".join(record.dumps() + "\n" for record in zoff_records()), encoding="utf-8")
    limited = 'ulimit -f 1; trap "" XFSZ; exec "$0" data export games.jsonl --out tables'
    done = subprocess.run(
        ["sh", "-c", limited, STAMPEDE], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "stampede: tables: File too large\n"
    assert list(tmp_path.iterdir()) == [file]


def test_tables_of_another_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected games, seats and steps as Parquet files"):
        Dataset(tmp_path)
    written(buffalo_records(), tmp_path / "tables", states=False)
    file = tmp_path / "tables" / "seats.parquet"
    table = pq.read_table(file)
    pq.write_table(table.replace_schema_metadata({"stampede.format": "stampede-data/9"}), file)
    with pytest.raises(InputError, match="expected seats in the format stampede-data/1, got"):
        Dataset(tmp_path / "tables")
    file.write_bytes(b"PAR1")
    with pytest.raises(InputError, match="expected a whole Parquet file, but"):
        Dataset(tmp_path / "tables")


def test_damaged_tables_are_refused_or_harmless(tmp_path: Path) -> None:
    """A changed bit is an InputError that names the file, or it changes no record: pages have checksums."""
    folder, rng, refusals = tmp_path / "tables", random.Random(1), []
    written(buffalo_records(), folder, states=False)
    expected = list(Dataset(folder).records())
    for file in sorted(folder.iterdir()):
        whole = file.read_bytes()
        for _ in range(30):
            changed = bytearray(whole)
            changed[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
            file.write_bytes(changed)
            try:
                found = list(Dataset(folder).records())
            except InputError as error:
                refusals.append(str(error))
            else:
                assert found == expected
        file.write_bytes(whole)
    assert len(refusals) > 30
    assert all(str(folder) in refusal for refusal in refusals)


def test_an_unknown_column_is_named(tmp_path: Path) -> None:
    written(buffalo_records(), tmp_path / "tables", states=False)
    with pytest.raises(InputError, match=r"columns: expected some of game, step, .* got 'colour'"):
        Dataset(tmp_path / "tables").arrow("steps", ["game", "colour"])
