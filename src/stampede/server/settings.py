"""What whoever runs a server can set: by environment variables `STAMPEDE_…`, or by flags of `stampede serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from platformdirs import user_data_path
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

__all__ = ["ServerSettings", "default_database"]


def default_database() -> str:
    """A SQLite file in the user's own data folder."""
    folder: Path = user_data_path("stampede", appauthor=False)
    return f"sqlite:///{(folder / 'stampede.db').as_posix()}"


class ServerSettings(BaseSettings):
    """The settings of a server. Every field can be given as ``STAMPEDE_<NAME>`` in the environment."""

    model_config = SettingsConfigDict(env_prefix="STAMPEDE_", extra="ignore")

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
        default=None, description="Signs guests' cookies; without it the database keeps one."
    )
    secure_cookies: bool = Field(
        default=False, description="Behind TLS: cookies travel encrypted only."
    )
    trusted_proxies: str = Field(
        default="",
        description="Addresses or networks of proxies, with commas between: only theirs X-Forwarded-… are believed.",
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="Lines for people, or JSON for programs."
    )
    metrics_host: str = Field(default="127.0.0.1", description="Where Prometheus may ask.")
    metrics_port: int | None = Field(
        default=None, ge=0, le=65535, description="The port for Prometheus; none by default."
    )

    max_body: int = Field(default=64 * 1024, ge=1024, description="Bytes of a request's body.")
    request_seconds: float = Field(
        default=15.0, gt=0, description="Seconds that a request may take to arrive."
    )
    max_frame: int = Field(default=16 * 1024, ge=1024, description="Bytes of a WebSocket message.")
    max_queue: int = Field(
        default=256,
        ge=8,
        description="Messages that may wait for a viewer; a slower one is dropped.",
    )
    max_sockets: int = Field(default=5000, ge=1, description="Viewers at once.")
    max_sockets_of_address: int = Field(
        default=2500, ge=1, description="Viewers at once from one address."
    )
    max_tables: int = Field(default=2000, ge=1, description="Tables held in memory at once.")
    heartbeat: float = Field(default=20.0, gt=0, description="Seconds between signs of life.")
    rate: float = Field(
        default=20.0, gt=0, description="Requests a second that a guest may make, lastingly."
    )
    burst: int = Field(default=60, ge=1, description="Requests that a guest may make at once.")
    address_factor: float = Field(
        default=10.0, ge=1, description="How many guests' speed one address may have."
    )
    bot_threads: int = Field(default=2, ge=1, le=64, description="How many bots think at once.")
    bot_queue: int = Field(
        default=1000, ge=1, description="How many bots may wait for their turn to think."
    )
    write_patience: float = Field(
        default=10.0, gt=0, description="Seconds that a busy or absent database is waited for."
    )
    idle: float = Field(
        default=600.0,
        gt=0,
        description="Seconds after which a table that nobody watches leaves the memory.",
    )
