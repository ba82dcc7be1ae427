"""Running a tournament: stages of bouts, each a job that any number of processes or machines can work on.

A round robin and a gauntlet are one stage, a Swiss tournament is a stage a round, and with a sequential test a stage is
some bouts after which the test is looked at. What the next stage is follows from the results of those before.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from stampede.core.errors import InputError
from stampede.core.json import (
    Json,
    canonical,
    expect_int,
    expect_list,
    expect_object,
    expect_str,
)
from stampede.lab.arena.stats import SprtCourse
from stampede.lab.shards import Executor, ItemMaker, Job, JobFolder, run
from stampede.lab.shards.folder import MANIFEST
from stampede.lab.tournament.contestants import check_programs, contestants_of
from stampede.lab.tournament.pairing import Bout, Lineup, all_bouts, swiss_round
from stampede.lab.tournament.play import Arena
from stampede.lab.tournament.results import PlayedBout
from stampede.lab.tournament.spec import TournamentSpec

__all__ = [
    "Tournament",
    "first_bouts",
    "most_bouts",
    "open_bouts",
    "read_tournament",
    "run_tournament",
    "stage_job",
]

WORK: Final = "stampede.lab.tournament.run:open_bouts"
SPEC_FILE: Final = "tournament.json"
RECORDS: Final = "games.jsonl"
BLOCK: Final = 10
"""Bouts before the first look at a sequential test; later looks come after a fifth more."""


@dataclass(slots=True)
class Tournament:
    """A tournament as far as it is played.

    Attributes:
        spec: The tournament.
        bouts: What was played, in order.
        byes: By player, how many rounds of a Swiss tournament it had a bye.
        course: How the sequential test goes; None without one.
        is_over: Whether all of it is played.
    """

    spec: TournamentSpec
    bouts: list[PlayedBout] = field(default_factory=list)
    byes: dict[str, int] = field(default_factory=dict)
    course: SprtCourse | None = None
    is_over: bool = True

    def add(self, bout: PlayedBout) -> None:
        """Adds the next bout."""
        self.bouts.append(bout)
        if self.course is not None:
            self.course.add(bout.won_by(self.spec.names[0]))


def open_bouts(job: Job) -> ItemMaker:
    """Prepares a stage: makes the players, and returns the function that plays a bout."""
    spec = TournamentSpec.parse(cast("dict[str, object]", job.parameters["spec"]))
    if "bouts" in job.parameters:
        bouts = [_read_bout(entry) for entry in expect_list(job.parameters["bouts"], "bouts")]
    else:
        bouts = all_bouts(spec)[expect_int(job.parameters["first"], "first") :]
    arena = Arena(spec, contestants_of(spec))

    def play(index: int) -> Json:
        return arena.play(bouts[index])

    return play


def run_tournament(
    spec: TournamentSpec,
    path: Path,
    executor: Executor,
    progress: Callable[[int], None] | None = None,
) -> Tournament:
    """Plays what a folder lacks of a tournament, and returns all of it.

    Args:
        spec: The tournament.
        path: The folder; a new one, or one of the same tournament.
        executor: Where bouts are played.
        progress: Called with the number of bouts that are played; `most_bouts` is how many there can be.

    Raises:
        InputError: The folder belongs to another tournament, or a player's program doesn't answer.
        JobStopped: It can't go on; what was played is kept.
    """
    _claim(path, spec)
    show = progress or (lambda _: None)
    checked = False

    def play(job: Job, folder: Path, before: int) -> bool:
        nonlocal checked
        if not checked and not _is_finished(folder):
            check_programs(spec)
            checked = True
        run(job, folder, executor, progress=lambda count: show(before + count))
        return True

    tournament = _follow(spec, path, play)
    _write_records(tournament, path / RECORDS)
    return tournament


def read_tournament(spec: TournamentSpec, path: Path) -> Tournament:
    """What a folder has of a tournament, while it is played or after it was stopped.

    Raises:
        InputError: The folder belongs to another tournament, or has no bout yet.
    """
    if not (path / SPEC_FILE).exists():
        raise InputError(f"{path}: expected the folder of a tournament, got no {SPEC_FILE}")
    _claim(path, spec)
    tournament = _follow(spec, path, lambda _job, folder, _before: _is_finished(folder))
    if not tournament.bouts:
        raise InputError(f"{path}: expected at least one bout, got none yet")
    return tournament


def _follow(spec: TournamentSpec, path: Path, make: Callable[[Job, Path, int], bool]) -> Tournament:
    """Goes from stage to stage, as long as one is made completely.

    Args:
        spec: The tournament.
        path: Its folder.
        make: Given a stage's job, its folder and the number of bouts before it; returns whether it is complete.
    """
    course = None if spec.sprt is None else SprtCourse(spec.sprt)
    tournament = Tournament(spec, course=course)
    former: list[list[Lineup]] = []
    stage = 0
    while bouts := _next_stage(tournament, stage, former):
        folder = path / f"stage-{stage:03}"
        job = stage_job(spec, bouts, len(tournament.bouts))
        complete = make(job, folder, len(tournament.bouts))
        if complete or (folder / MANIFEST).exists():
            for _, line in JobFolder(folder).lines():
                tournament.add(PlayedBout.read(json.loads(line)))
        if not complete:
            tournament.is_over = False
            break
        stage += 1
    return tournament


def stage_job(spec: TournamentSpec, bouts: Sequence[Bout], first: int = 0) -> Job:
    """Describes a stage as a job for `stampede.lab.shards`: item ``i`` is its bout ``i``.

    Args:
        spec: The tournament.
        bouts: The stage's bouts.
        first: How many bouts are before them.
    """
    parameters: dict[str, Json] = {"spec": spec.to_json()}
    if spec.format == "swiss":
        parameters["bouts"] = [[list(bout.lineup), bout.start] for bout in bouts]
    else:  # what a worker can tell for itself isn't sent to it with every task
        parameters["first"] = first
    return Job("tournament", WORK, len(bouts), spec.seed, parameters)


def _is_finished(path: Path) -> bool:
    if not (path / MANIFEST).exists():
        return False
    folder = JobFolder(path)
    return all(folder.is_finished(shard) for shard in folder.shards)


def first_bouts(spec: TournamentSpec) -> list[Bout]:
    """The bouts that are known before the first game: all, or a Swiss tournament's first round."""
    return swiss_round(spec, 0, {}, [])[0] if spec.format == "swiss" else all_bouts(spec)


def most_bouts(spec: TournamentSpec) -> int:
    """How many bouts a tournament has at most."""
    return max(1, spec.rounds) * len(first_bouts(spec))


def _next_stage(tournament: Tournament, stage: int, former: list[list[Lineup]]) -> list[Bout]:
    """The bouts of a stage; none when the tournament is over."""
    spec = tournament.spec
    if spec.format == "swiss":
        if stage >= spec.rounds:
            return []
        points = _points(tournament)
        bouts, byes = swiss_round(spec, stage, points, former)
        for name in byes:
            tournament.byes[name] = tournament.byes.get(name, 0) + 1
        groups = {tuple(sorted(set(bout.lineup))) for bout in bouts}
        former.append([*sorted(groups), *((name,) for name in byes)])
        return bouts
    bouts = all_bouts(spec)
    if spec.sprt is None:
        return bouts if stage == 0 else []
    course = tournament.course
    if course is not None and course.verdict != "open":
        return []
    played = len(tournament.bouts)
    return bouts[played : played + max(BLOCK, played // 5)]


def _points(tournament: Tournament) -> dict[str, float]:
    """Wins by player in units of a round, for Swiss pairings; a bye counts as a round that was won.

    At larger tables a win counts so much more that the mean is the same.
    """
    points = {name: float(count) for name, count in tournament.byes.items()}
    for bout in tournament.bouts:
        for name in set(bout.lineup):
            chairs = bout.lineup.count(name) * len(bout.games)
            share = bout.won_by(name) / chairs * len(bout.lineup) / 2
            copies = 2 if tournament.spec.tables == "field" else 1
            points[name] = points.get(name, 0.0) + share / tournament.spec.bouts / copies
    return points


def _claim(path: Path, spec: TournamentSpec) -> None:
    """Writes the specification into a new folder, or compares it with the folder's."""
    file = path / SPEC_FILE
    wanted = spec.to_json()
    if not file.exists():
        path.mkdir(parents=True, exist_ok=True)
        part = path / f"{SPEC_FILE}.part"
        foreign = next((entry.name for entry in path.iterdir() if entry != part), None)
        if foreign is not None:
            raise InputError(
                f"{path}: expected a new folder, or one of this tournament, got {foreign} without {SPEC_FILE}"
            )
        part.write_text(json.dumps(wanted, indent=1) + "\n", "utf-8")
        part.replace(file)
        return
    found = expect_object(json.loads(file.read_text("utf-8")), SPEC_FILE)
    wrong = [
        key
        for key in sorted({*wanted, *found})
        if canonical(wanted.get(key)) != canonical(found.get(key))
    ]
    if wrong:
        raise InputError(
            f"{path}: expected the folder of this tournament, got one with another {', '.join(wrong)};"
            " choose another --out, or restore the specification"
        )


def _write_records(tournament: Tournament, path: Path) -> None:
    part = path.with_name(f"{path.name}.part")
    with part.open("w", encoding="utf-8") as stream:
        for bout in tournament.bouts:
            for game in bout.games:
                stream.write(canonical(game.record) + "\n")
    part.replace(path)


def _read_bout(entry: Json) -> Bout:
    lineup, start = expect_list(entry, "bout")
    names = tuple(expect_str(name, "lineup") for name in expect_list(lineup, "lineup"))
    return Bout(names, expect_int(start, "start"))
