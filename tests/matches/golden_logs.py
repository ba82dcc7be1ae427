"""Logs that are kept, so that what one version wrote the next can read.

`python -m tests.matches.golden_logs` makes them anew. Only a change of the rules, or a new version of the log's format,
is a reason to do so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from stampede.core.json import canonical
from stampede.matches import Entry, Table
from stampede.matches.commands import Leave, Resign, Return, VoteTopic
from tests.matches.sitting import Sitting, buffalo, clock, person, zoff, zoff_rules

FOLDER = Path(__file__).with_name("golden")


def zoff_log() -> Sitting:
    """Clocks that run out, a player who comes back, one who leaves, a pause, a whole auction game with five."""
    sitting = zoff(
        5, 1, seed=11, rules=zoff_rules(5, auction=True, fair=True), clock=clock("round", 60_000)
    )
    sitting.sit(0, 1, 2, 3)
    sitting.act(0)
    sitting.act(1)
    sitting.wait(60_000)
    sitting.bots_act()
    sitting.do(Return(2), person(2))
    sitting.vote(VoteTopic.PAUSE, 0, 1, 2)
    sitting.wait(90_000)
    sitting.vote(VoteTopic.RESUME, 2, 1, 0)
    sitting.do(Leave(1), person(1))
    sitting.play_out()
    return sitting


def buffalo_log() -> Sitting:
    """A ladder: a game played out with an undo, a resignation, and the third begun."""
    sitting = buffalo(seed=12, series="ladder")
    sitting.sit(0, 1)
    for _ in range(4):
        sitting.step()
    sitting.vote(VoteTopic.UNDO, 1, 0)
    sitting.play_out()
    for _ in range(2):
        due = int(str(sitting.table.view_for(None).series["due"]))
        sitting.vote(VoteTopic.NEXT, 0, choice=("d", "h")[:due])
        sitting.vote(VoteTopic.NEXT, 1)
        sitting.step()
        if sitting.table.state.running.number == 2:
            sitting.do(Resign(0), person(0))
    return sitting


LOGS: Mapping[str, Callable[[], Sitting]] = {"zoff": zoff_log, "buffalo": buffalo_log}


def read_log(name: str) -> list[Entry]:
    lines = (FOLDER / f"{name}.jsonl").read_text().splitlines()
    return [Entry.from_json(json.loads(line)) for line in lines]


def shown(table: Table) -> str:
    """What a spectator sees in the end, readable, and a digest of all that everybody was told."""
    viewers = (None, *range(len(table.state.chairs)))
    told = canonical([[m.to_json() for m in table.messages(viewer)] for viewer in viewers])
    digest = hashlib.sha256(told.encode()).hexdigest()
    view = table.view_for(None).to_json()
    return json.dumps({"told": digest, "view": view}, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, play in LOGS.items():
        sitting = play()
        lines = "".join(canonical(entry.to_json()) + "\n" for entry in sitting.log)
        (FOLDER / f"{name}.jsonl").write_text(lines)
        (FOLDER / f"{name}.json").write_text(shown(sitting.table))


if __name__ == "__main__":
    main()
