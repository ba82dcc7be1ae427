"""Zoff's steps and states as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from stampede.core.errors import RecordError
from stampede.core.json import Json
from stampede.core.playthrough import AnyPlaythrough
from stampede.core.record import GameRecord
from stampede.lab.data.forms import Steps, decision_steps, read_actions, step_keys
from stampede.lab.data.schema import NAME, TEXTS

__all__ = ["ZOFF"]

_STEPS: Final = pa.schema(
    [
        ("game", pa.int32()),
        ("step", pa.int32()),
        ("round", pa.int8()),  # 0 before the first choice
        ("seat", pa.int8()),
        ("type", NAME),
        ("colour", NAME),
        ("pasture", NAME),  # where a placement is, or the full pasture that pays a bonus
        ("cows", pa.int8()),
        ("forced", pa.bool_()),
        ("kind", NAME),  # of a bonus
        ("bid", pa.string()),
        ("pastures", TEXTS),  # of a choice's pairs, of a bonus's cows, of first cows
        ("cards", TEXTS),  # of a choice's pairs
        ("colours", TEXTS),  # of a choice's pairs with two players, of first cows
    ]
)
_STATES: Final = pa.schema(
    [
        ("game", pa.int32()),
        ("step", pa.int32()),
        ("round", pa.int8()),
        ("seat", pa.int8()),
        ("phase", NAME),
        ("pastures", TEXTS),
        ("colours", TEXTS),
        ("herds", pa.list_(pa.int8())),  # cows, pasture by pasture, in the order of `colours`
        ("reserves", pa.list_(pa.int8())),  # by colour
    ]
)
_CHOOSE: Final = "choose"
_SETTLE: Final = "settle"


class _Lists(NamedTuple):
    """Columns of lists, one or none a step."""

    pastures: pa.Array
    cards: pa.Array
    colours: pa.Array


class ZoffForm:
    """The columns of Zoff; see `DataForm`."""

    steps = _STEPS
    states = _STATES

    def make_steps(self, lines: Sequence[bytes], heads: Sequence[GameRecord], first: int) -> Steps:
        """Makes the rows of `steps`."""
        names = {name for head in heads if len(head.seats) == 2 for name in _dealt(head)}
        actions = read_actions(lines, _step_type(sorted(names)))
        counts, games, places = step_keys(actions, first)
        flat = actions.flatten()
        part = {field.name: flat.field(index) for index, field in enumerate(flat.type)}
        if part["type"].null_count or part["seat"].null_count:
            missing = pc.or_(part["type"].is_null(), part["seat"].is_null())
            wrong = int(games[missing.to_numpy(zero_copy_only=False).argmax()]) - first
            raise RecordError("actions: expected a type and a seat in every step", wrong)
        rounds = _rounds(part, games)
        lists = _lists(part, games - first)
        columns = {
            "game": pa.array(games),
            "step": pa.array(places),
            "round": pa.array(rounds),
            "seat": part["seat"],
            "type": part["type"].dictionary_encode(),
            "colour": part["colour"].dictionary_encode(),
            "pasture": pc.coalesce(part["pasture"], part["from"]).dictionary_encode(),
            "cows": part["cows"],
            "forced": part["forced"],
            "kind": part["kind"].dictionary_encode(),
            "bid": part["bid"],
            **lists._asdict(),
        }
        most = np.zeros(len(lines), np.int16)
        np.maximum.at(most, games - first, rounds)
        return Steps(pa.table({name: columns[name] for name in _STEPS.names}), counts, most)

    def read_steps(self, steps: Mapping[str, Sequence[Json]], begin: int, end: int) -> list[Json]:
        """Returns rows of `steps` as the steps of a record."""
        return [
            _read_step({name: steps[name][row] for name in _STEPS.names})
            for row in range(begin, end)
        ]

    def state_rows(self, game: int, played: AnyPlaythrough) -> Iterator[tuple[object, ...]]:
        """Yields the rows of `states`."""
        setup = played.start.setup
        pastures = [pasture.name for pasture in setup.pastures]
        colours = list(setup.colours)
        before = played.start
        for step, turn in zip(decision_steps(played), played.turns, strict=True):
            herds = [cows for pasture in before.herds for cows in pasture]
            yield (
                game,
                step,
                before.round,
                turn.seat,
                before.phase.value,
                pastures,
                colours,
                herds,
                list(before.reserves),
            )
            before = turn.state


ZOFF: Final = ZoffForm()


def _dealt(head: GameRecord) -> Iterator[str]:
    deal = head.setup.get("deal")
    for names in deal.values() if isinstance(deal, dict) else ():
        yield from (name for name in names if isinstance(name, str))


def _step_type(pastures: Sequence[str]) -> pa.DataType:
    """A step in a record; only the dealt pastures get first cows (Z10.2)."""
    text = pa.string()
    return pa.struct(
        [
            ("type", text),
            ("seat", pa.int8()),
            ("pairs", pa.list_(TEXTS)),
            ("colour", text),
            ("pasture", text),
            ("cows", pa.int8()),
            ("forced", pa.bool_()),
            ("from", text),
            ("kind", text),
            ("on", TEXTS),
            ("bid", text),
            ("colours", pa.struct([(name, text) for name in pastures])),
        ]
    )


def _rounds(part: Mapping[str, pa.Array], games: npt.NDArray[np.int32]) -> npt.NDArray[np.int8]:
    """The round of each step: the choices of a round stand together, in the order of seats."""
    chosen = pc.equal(part["type"], _CHOOSE).to_numpy(zero_copy_only=False).nonzero()[0]
    seats = part["seat"].to_numpy(zero_copy_only=False)[chosen]
    opens = np.ones(len(chosen), bool)
    opens[1:] = (np.diff(seats) <= 0) | (np.diff(games[chosen]) > 0)
    marks = np.zeros(len(games) + 1, np.int64)
    marks[chosen[opens] + 1] = 1
    total = marks.cumsum()
    starts = np.searchsorted(games, games)  # where each step's game begins
    rounds: npt.NDArray[np.int8] = (total[1:] - total[starts]).astype(np.int8)
    return rounds


def _lists(part: Mapping[str, pa.Array], records: npt.NDArray[np.int32]) -> _Lists:
    """Makes the columns of lists; ``records`` is the record of each step, for an error."""
    pairs = part["pairs"]
    every = pairs.flatten()
    pastures, cards, colours = (
        pc.list_slice(every, at, at + 1, return_fixed_size_list=True).flatten() for at in range(3)
    )
    offsets = _offsets(pairs)
    if cards.null_count:
        pair = cards.is_null().to_numpy(zero_copy_only=False).argmax()
        wrong = int(records[np.searchsorted(offsets, pair, "right") - 1])
        raise RecordError("actions: expected a pasture and a card in every pair", wrong)
    coloured = np.append(0, colours.is_valid().to_numpy(zero_copy_only=False).cumsum())
    plain = np.diff(coloured[offsets]) == 0
    absent = pairs.is_null()
    settled_on, settled_by = _settled(part)
    return _Lists(
        pc.coalesce(_list(offsets, pastures, absent), part["on"], settled_on),
        _list(offsets, cards, absent),
        pc.coalesce(_list(offsets, colours, pa.array(plain)), settled_by),
    )


def _settled(part: Mapping[str, pa.Array]) -> tuple[pa.Array, pa.Array]:
    """Where two players' first cows are, and their colours: a few steps, so one by one."""
    places: list[list[str] | None] = [None] * len(part["type"])
    colours = places.copy()
    for row in pc.equal(part["type"], _SETTLE).to_numpy(zero_copy_only=False).nonzero()[0]:
        found = part["colours"][row].as_py() or {}
        laid = {name: colour for name, colour in found.items() if colour is not None}
        places[row], colours[row] = list(laid), list(laid.values())
    return pa.array(places, TEXTS), pa.array(colours, TEXTS)


def _offsets(lists: pa.ListArray) -> npt.NDArray[np.int32]:
    lengths = lists.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    return np.append(0, lengths.cumsum()).astype(np.int32)


def _list(offsets: npt.NDArray[np.int32], values: pa.Array, absent: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(offsets), values, mask=absent)


def _read_step(row: Mapping[str, Json]) -> Json:
    """One row of `steps` as a step of a record, its keys in the order of the format."""
    head = {"type": row["type"], "seat": row["seat"]}
    pastures, cards, colours = (_texts(row[name]) for name in ("pastures", "cards", "colours"))
    match row["type"]:
        case "choose":
            columns = [pastures, cards, *([colours] if colours else [])]
            return {**head, "pairs": [list(pair) for pair in zip(*columns, strict=True)]}
        case "settle":
            return {**head, "colours": dict(zip(pastures, colours, strict=True))}
        case "place":
            place = {key: row[key] for key in ("colour", "pasture", "cows")}
            return {**head, **place, **({"forced": True} if row["forced"] else {})}
        case "bonus":
            paid = {"colour": row["colour"], "from": row["pasture"], "kind": row["kind"]}
            return {**head, **paid, "on": pastures}
        case "bid":
            return {**head, "bid": row["bid"]}
        case _:
            return {**head, "colour": row["colour"]}


def _texts(value: Json) -> list[str]:
    return [str(text) for text in value] if isinstance(value, list) else []
