"""The server's settings: environment variables `STAMPEDE_…`, or flags of `stampede serve`."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, Final, Literal

from platformdirs import user_data_path
from pydantic import Field, SecretStr, field_validator
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

__all__ = ["DEPRECATED", "ServerSettings", "default_database"]

PREFIX: Final = "STAMPEDE_"
DEPRECATED: Final = {
    "request_seconds": "request_timeout",
    "max_sockets_of_address": "max_sockets_per_address",
    "write_patience": "write_timeout",
    "idle": "idle_timeout",
}
"""New names of settings by their old ones. The old names work in the environment for one version, with a warning."""
REMOVED: Final = {"max_queue": "max_waiting"}
"""Settings that have no effect any more, and those that count something else instead. For one version they warn."""

MIN_SECRET: Final = 32
WHY_LONGER: Final = (
    "expected at least 32 bytes of chance, such as `openssl rand -hex 32` prints;"
    " leave it out to use a key in the database"
)


def default_database() -> str:
    """Returns the address of a SQLite file in the user's data folder."""
    folder: Path = user_data_path("stampede", appauthor=False)
    return f"sqlite:///{(folder / 'stampede.db').as_posix()}"


class DeprecatedNames(PydanticBaseSettingsSource):
    """Reads settings from the environment under their old names."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Finds a field under an old name. `__call__` doesn't need it, but the base class does."""
        del field
        old = next((old for old, new in DEPRECATED.items() if new == field_name), "")
        return os.environ.get(f"{PREFIX}{old.upper()}"), field_name, False

    def __call__(self) -> dict[str, Any]:
        """Returns the settings that are given under old names."""
        environment = {name.upper(): value for name, value in os.environ.items()}
        found: dict[str, Any] = {}
        for old, new in DEPRECATED.items():
            name = f"{PREFIX}{old.upper()}"
            if name in environment:
                text = f"{name} is deprecated: use {PREFIX}{new.upper()}"
                # Python hides a DeprecationWarning from the people who run a server.
                warnings.warn(text, FutureWarning, stacklevel=2)
                found[new] = environment[name]
        for old, new in REMOVED.items():
            name = f"{PREFIX}{old.upper()}"
            if name in environment:
                text = f"{name} has no effect any more: see {PREFIX}{new.upper()}"
                warnings.warn(text, FutureWarning, stacklevel=2)
        return found


class ServerSettings(BaseSettings):
    """The settings of a server. The environment variable of a field is ``STAMPEDE_<NAME>``."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore")

    database_url: str = Field(
        default_factory=default_database, description="sqlite:///PATH or postgresql://…"
    )
    host: str = Field(default="127.0.0.1", description="The address to listen on.")
    port: int = Field(
        default=8080, ge=0, le=65535, description="The port to listen on; 0 takes a free one."
    )
    workers: int = Field(
        default=1, ge=1, le=256, description="Processes; more than one needs PostgreSQL."
    )
    secret: SecretStr | None = Field(
        default=None,
        description="Signs guests' cookies, 32 bytes or more; by default a key in the database does.",
    )
    secure_cookies: bool = Field(
        default=False, description="Behind TLS: browsers send cookies only encrypted."
    )
    trusted_proxies: str = Field(
        default="",
        description="Addresses or networks of trusted proxies, separated by commas: only their X-Forwarded-… counts.",
    )
    editions: Path | None = Field(
        default=None,
        description="A folder with editions of Zoff, `*.toml`, that tables can choose.",
    )
    edition_files: tuple[Path, ...] = Field(
        default=(), description="Further edition files, as a JSON list; `--edition` adds one each."
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="Lines for people, or JSON for programs."
    )
    metrics_host: str = Field(
        default="127.0.0.1", description="The address at which Prometheus scrapes."
    )
    metrics_port: int | None = Field(
        default=None, ge=0, le=65535, description="The port for Prometheus; none by default."
    )

    max_body: int = Field(default=64 * 1024, ge=1024, description="Bytes of a request's body.")
    request_timeout: float = Field(
        default=15.0, gt=0, description="Seconds for a request to arrive and a response to be read."
    )
    max_frame: int = Field(default=16 * 1024, ge=1024, description="Bytes of a WebSocket message.")
    max_waiting: int = Field(
        default=256 * 1024,
        ge=1024,
        description="Bytes that may wait in memory for one WebSocket; one further behind is disconnected.",
    )
    max_sockets: int = Field(default=5000, ge=1, description="Open WebSockets.")
    max_sockets_per_address: int = Field(
        default=200, ge=1, description="Open WebSockets from one address."
    )
    max_sockets_per_guest: int = Field(
        default=20, ge=1, description="Open WebSockets of one guest."
    )
    max_tables: int = Field(default=2000, ge=1, description="Tables in memory.")
    max_tables_per_address: int = Field(
        default=50, ge=1, description="Tables in use at the same time from one address."
    )
    max_tables_in_use_per_guest: int = Field(
        default=10, ge=1, description="Tables in use at the same time by one guest."
    )
    max_tables_per_guest: int = Field(
        default=50, ge=1, description="Tables of one guest that aren't over."
    )
    heartbeat: float = Field(
        default=20.0, gt=0, description="Seconds between heartbeats of a WebSocket."
    )
    rate: float = Field(
        default=20.0, gt=0, description="Requests a second that a guest may make in the long run."
    )
    burst: int = Field(default=60, ge=1, description="Requests that a guest may make at once.")
    address_factor: float = Field(
        default=10.0, ge=1, description="The rate limit of an address, in guests' rate limits."
    )
    bot_threads: int = Field(
        default=2, ge=1, le=64, description="Threads that compute bots' moves."
    )
    bot_queue: int = Field(
        default=1000, ge=1, description="Moves of one address's bots that may wait for a thread."
    )
    push_subject: str = Field(
        default="",
        description="Where push services reach you, mailto:… or https:…; they may want it for notices.",
    )
    push_private: bool = Field(
        default=False, description="For tests: push services on private addresses are fine."
    )
    write_timeout: float = Field(
        default=10.0, gt=0, description="Seconds to retry while the database is busy or away."
    )
    idle_timeout: float = Field(
        default=600.0, gt=0, description="Seconds until an unused table leaves the memory."
    )

    @field_validator("secret")
    @classmethod
    def _check_secret(cls, secret: SecretStr | None) -> SecretStr | None:
        """Refuses a key that could be guessed; the message doesn't repeat it."""
        if secret is not None and len(secret.get_secret_value().encode()) < MIN_SECRET:
            raise PydanticCustomError("short_secret", WHY_LONGER)
        return secret

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Reads flags, then the environment, then the environment's deprecated names."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, DeprecatedNames(settings_cls)
