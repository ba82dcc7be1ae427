"""Records without their steps: what becomes a row of `games` and some of `seats`.

Most of a record is its steps. They go straight into columns (see `DataForm`), so that only the rest is read into Python
objects: reading all of it takes six times as long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from stampede.core.errors import RecordError
from stampede.core.json import Json, JsonObject, canonical
from stampede.core.record import GameRecord
from stampede.lab.data.schema import GAMES, SEATS

__all__ = ["games_table", "read_head", "seats_table"]

_STEPS: Final = b',"actions":['
_ENDS: Final = (b'],"result":{', b'],"meta":{')
_OWN_META: Final = ("seed", "index", "decisions", "check")
"""Keys of ``meta`` that have a column, and the checksums, which are for the text of a record."""


def read_head(line: bytes) -> GameRecord:
    """Reads a record's line without its steps; RecordError if it isn't one."""
    data = _cut(line)
    if data is None:  # written by others: keys in another order, blanks
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"expected a record on one line, but {error}") from error
    if not isinstance(data, dict):
        raise RecordError(f"expected a record, got {canonical(data)[:80]}")
    return GameRecord.from_json({**data, "actions": []})


def _cut(line: bytes) -> Json:
    """Parses a line as we write it, its steps cut out; None if it isn't such a line.

    The searched texts can't stand inside a JSON string, where quotes are escaped. A cut that ends inside a step leaves
    more brackets closed than opened, which is no JSON; one that takes another list for the steps leaves the key.
    """
    begin = line.find(_STEPS)
    end = next((at for text in _ENDS if (at := line.find(text, begin)) >= 0), -1)
    if begin < 0 or end < 0:
        return None
    try:
        data: Json = json.loads(line[:begin] + line[end + 1 :])
    except ValueError:
        return None
    return data if isinstance(data, dict) and "actions" not in data else None


def games_table(
    heads: Sequence[GameRecord],
    first: int,
    steps: npt.NDArray[np.int32],
    rounds: npt.NDArray[np.int16],
) -> pa.Table:
    """Makes the rows of `games`; ``first`` is the number of the first game."""
    metas = [head.meta for head in heads]
    results = [head.result or {} for head in heads]
    columns: dict[str, object] = {
        "game": np.arange(first, first + len(heads), dtype=np.int32),
        "players": [len(head.seats) for head in heads],
        "rules": [canonical(head.rules) for head in heads],
        "setup": [canonical(head.setup) for head in heads],
        "seed": [canonical(meta["seed"]) if "seed" in meta else None for meta in metas],
        "index": [_whole(meta.get("index")) for meta in metas],
        "decisions": [_whole(meta.get("decisions")) for meta in metas],
        "steps": steps,
        "rounds": rounds,
        "reason": [_text(result.get("reason")) for result in results],
        "winners": [_winners(head.result) for head in heads],
        "result": [None if head.result is None else canonical(head.result) for head in heads],
        "meta": [
            canonical({key: value for key, value in meta.items() if key not in _OWN_META})
            for meta in metas
        ],
    }
    return pa.table({name: _column(columns[name], GAMES.field(name).type) for name in GAMES.names})


def seats_table(heads: Sequence[GameRecord], first: int) -> pa.Table:
    """Makes the rows of `seats`."""
    rows = [(game, seat) for game, head in enumerate(heads) for seat in range(len(head.seats))]
    infos = [heads[game].seats[seat] for game, seat in rows]
    owners = [_colours(head) for head in heads]
    winners = [_winners(head.result) for head in heads]
    results = [head.result or {} for head in heads]
    columns: dict[str, object] = {
        "game": [first + game for game, _ in rows],
        "seat": [seat for _, seat in rows],
        "name": [info.name for info in infos],
        "kind": [info.kind for info in infos],
        "bot": [None if info.bot is None else str(info.bot) for info in infos],
        "colours": [owners[game].get(seat) for game, seat in rows],
        "placed": [_by_seat(results[game].get("placed"), seat) for game, seat in rows],
        "score": [_by_seat(results[game].get("scores"), seat) for game, seat in rows],
        "won": [None if (won := winners[game]) is None else seat in won for game, seat in rows],
    }
    return pa.table({name: _column(columns[name], SEATS.field(name).type) for name in SEATS.names})


def _column(values: object, kind: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode()
    return pa.array(values, kind)


def _winners(result: JsonObject | None) -> list[int] | None:
    if result is None:
        return None
    found = result["winners"] if "winners" in result else [result.get("winner")]
    return [seat for seat in found if isinstance(seat, int)] if isinstance(found, list) else None


def _colours(head: GameRecord) -> Mapping[int, list[str]]:
    found: dict[int, list[str]] = {}
    for colour, seat in head.seat_of_colour.items():
        found.setdefault(seat, []).append(colour)
    return found


def _by_seat(values: Json, seat: int) -> int | float | None:
    if not isinstance(values, list) or seat >= len(values):
        return None
    value = values[seat]
    return value if isinstance(value, int | float) else None


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) else None


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
