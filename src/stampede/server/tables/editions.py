"""The editions of printed data that this server offers, and the check of an owner's own one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field, JsonValue

from stampede.core.errors import EditionError
from stampede.core.json import JsonObject
from stampede.games import ZOFF
from stampede.matches.settings import Catalogue, TableSettings
from stampede.server.http.models import RequestModel, ResponseModel
from stampede.server.settings import ServerSettings
from stampede.server.tables.games import CATALOGUE
from stampede.zoff.edition import SHIPPED, Edition
from stampede.zoff.edition_writer import write_edition

__all__ = [
    "EditionCheckAnswer",
    "EditionCheckRequest",
    "Editions",
    "EditionsAnswer",
    "check_edition",
]

MAX_TOML: Final = 32 * 1024
"""Characters of an edition file; a commented copy has about 6,000."""


class EditionAnswer(ResponseModel):
    """An edition of a game's printed data."""

    id: str
    title: str
    game: str
    shipped: bool = Field(description="Whether it comes with the program.")
    players: list[int] = Field(description="The numbers of players that it has data for.")
    sources: dict[str, int] = Field(description="How many values are known from each source.")
    data: dict[str, JsonValue] = Field(description="All of it, as in a record's `edition_data`.")


class EditionsAnswer(ResponseModel):
    """The editions that tables can be opened with by their id."""

    editions: list[EditionAnswer]


class EditionCheckRequest(RequestModel):
    """An edition to be checked: the text of a TOML file, or its data."""

    toml: Annotated[str, Field(max_length=MAX_TOML)] | None = None
    data: dict[str, JsonValue] | None = None


class EditionCheckAnswer(ResponseModel):
    """What is wrong with an edition, or the edition as it was read."""

    valid: bool
    cell: str | None = Field(
        default=None,
        description="Where the fault is, such as `pasture[3].capacity`; null if it is valid.",
    )
    message: str | None = Field(
        default=None, description="What was expected there; null if it is valid."
    )
    edition: EditionAnswer | None = Field(
        default=None, description="The edition; null if it isn't valid."
    )
    toml: str | None = Field(
        default=None, description="The same as the text of a file, with comments."
    )


@dataclass(frozen=True, slots=True)
class Editions:
    """The editions that this server knows, by id, the shipped one first; and the games on offer with them."""

    known: Mapping[str, Edition]
    catalogue: Catalogue

    @classmethod
    def load(cls, settings: ServerSettings) -> Editions:
        """Reads the files that the settings name; EditionError names the file and the cell."""
        known = {SHIPPED: Edition.default()}
        for file in _files(settings):
            try:
                edition = Edition.load(file)
            except EditionError as error:
                raise EditionError(str(file), str(error)) from error
            if not known.setdefault(edition.id, edition).plays_like(edition):
                raise EditionError(
                    f"{file}: edition.id",
                    f"expected another id than {edition.id!r}, as other data has it",
                )
        return cls(MappingProxyType(known), _catalogue(known))

    def check_own(self, settings: TableSettings) -> None:
        """Refuses an owner's data under the id of an edition of this server that differs from it."""
        data = settings.rules.get("edition_data")
        if settings.game != ZOFF.name or not isinstance(data, Mapping):
            return
        edition = Edition.from_json(data)
        known = self.known.get(edition.id)
        if known is not None and not known.plays_like(edition):
            raise EditionError(
                "edition.id",
                f"expected another id than {edition.id!r}, as an edition of this server has it",
            )

    def answer(self) -> EditionsAnswer:
        """Describes all of them."""
        return EditionsAnswer(editions=[_describe(edition) for edition in self.known.values()])


def check_edition(request: EditionCheckRequest) -> EditionCheckAnswer:
    """Checks an edition that a client sent."""
    try:
        if (request.toml is None) == (request.data is None):
            raise EditionError("request", "expected either toml or data")
        edition = (
            Edition.from_json(request.data or {})
            if request.toml is None
            else Edition.parse(request.toml)
        )
    except EditionError as error:
        return EditionCheckAnswer(valid=False, cell=error.cell, message=error.problem)
    return EditionCheckAnswer(valid=True, edition=_describe(edition), toml=write_edition(edition))


def _catalogue(known: Mapping[str, Edition]) -> Catalogue:
    """The games on offer, with these editions to choose from."""
    assert ZOFF.with_editions is not None
    game, ids = ZOFF.with_editions(known.values())
    spec = replace(ZOFF, game=game)
    for name in ids:
        spec = spec if name == SHIPPED else spec.with_choice("edition", name)
    return replace(CATALOGUE, games={**CATALOGUE.games, spec.name: spec})


def _describe(edition: Edition) -> EditionAnswer:
    data: JsonObject = edition.to_json()
    return EditionAnswer.model_validate(
        {
            "id": edition.id,
            "title": edition.title,
            "game": ZOFF.name,
            "shipped": edition.id == SHIPPED,
            "players": list(range(2, edition.most_players + 1)),
            "sources": edition.count_sources(),
            "data": _as_lists(data),
        }
    )


def _as_lists(value: object) -> object:
    """The same JSON with lists for tuples, as pydantic expects it."""
    if isinstance(value, Mapping):
        return {key: _as_lists(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_lists(item) for item in value]
    return value


def _files(settings: ServerSettings) -> Iterable[Path]:
    folder = settings.editions
    if folder is not None and not folder.is_dir():
        raise EditionError(str(folder), "expected a folder with edition files")
    found = [] if folder is None else sorted(folder.glob("*.toml"))
    return [*settings.edition_files, *found]
