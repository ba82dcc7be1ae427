"""Optional packages: which extra of the installation brings each, and the error when one is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from types import MappingProxyType
from typing import Final

from stampede.core.errors import MissingExtra

__all__ = ["EXTRA_OF", "name_missing_extras", "require"]

EXTRA_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("llvmlite", "numba", "numpy"), "engine"),
        "gymnasium": "gymnasium",
        "pettingzoo": "pettingzoo",
        "pyarrow": "data",
        **dict.fromkeys(("pandas", "polars"), "frames"),
        "ray": "ray",
        **dict.fromkeys(("open_spiel", "pyspiel"), "openspiel"),
        **dict.fromkeys(
            (
                "aiosqlite",
                "alembic",
                "argon2",
                "asyncpg",
                "cryptography",
                "fastapi",
                "openskill",
                "orjson",
                "platformdirs",
                "prometheus_client",
                "pydantic",
                "pydantic_core",
                "pydantic_settings",
                "resvg_py",
                "sqlalchemy",
                "starlette",
                "typing_extensions",
                "uvicorn",
                "uvloop",
                "webauthn",
                "websockets",
            ),
            "server",
        ),
    }
)
"""The extra that brings a module."""


def require(*modules: str) -> None:
    """Raises MissingExtra if one of these modules isn't installed. Imports none of them."""
    for module in modules:
        if find_spec(module) is None:
            raise _missing(module)


@contextmanager
def name_missing_extras() -> Iterator[None]:
    """Turns the failed import of an extra's module into a MissingExtra; other errors pass."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRA_OF:
            raise
        raise _missing(module) from error


def _missing(module: str) -> MissingExtra:
    extra = EXTRA_OF[module]
    return MissingExtra(
        f"this needs the package {module}, which isn't installed: pip install 'stampede[{extra}]'"
    )
