"""Settings: the environment, and the old names that still work."""

import warnings

import pytest
from pydantic import ValidationError

from stampede.cli.server.serve import read_settings
from stampede.core.errors import InputError
from stampede.server.settings import DEPRECATED, ServerSettings


@pytest.mark.parametrize(("old", "new"), DEPRECATED.items())
def test_an_old_name_works_and_warns(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    monkeypatch.setenv(f"STAMPEDE_{old.upper()}", "42")
    with pytest.warns(FutureWarning, match=f"use STAMPEDE_{new.upper()}$"):
        settings = ServerSettings()
    assert getattr(settings, new) == 42


def test_the_new_name_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAMPEDE_WRITE_PATIENCE", "1")
    monkeypatch.setenv("STAMPEDE_WRITE_TIMEOUT", "2")
    with pytest.warns(FutureWarning, match="STAMPEDE_WRITE_PATIENCE is deprecated"):
        assert ServerSettings().write_timeout == 2


def test_an_argument_wins_over_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAMPEDE_IDLE", "1")
    with pytest.warns(FutureWarning):
        assert ServerSettings(idle_timeout=3).idle_timeout == 3


def test_new_names_do_not_warn(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in DEPRECATED.values():
        monkeypatch.setenv(f"STAMPEDE_{name.upper()}", "7")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        settings = ServerSettings()
    assert {getattr(settings, name) for name in DEPRECATED.values()} == {7}


def test_a_removed_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STAMPEDE_MAX_QUEUE", "99")
    with pytest.warns(FutureWarning, match="MAX_QUEUE has no effect any more: see STAMPEDE_MAX_WA"):
        assert ServerSettings().max_waiting == 256 * 1024


@pytest.mark.parametrize("secret", ["", "hunter2", "x" * 31])
def test_a_secret_that_could_be_guessed_is_refused_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv("STAMPEDE_SECRET", secret)
    with pytest.raises(ValidationError, match="expected at least 32 bytes"):
        ServerSettings()
    with pytest.raises(InputError, match=r"^STAMPEDE_SECRET: expected at least 32 bytes") as error:
        read_settings({})
    assert not secret or secret not in str(error.value)


@pytest.mark.parametrize("secret", ["x" * 32, "\u00e9" * 16])
def test_a_secret_of_32_bytes_is_taken(monkeypatch: pytest.MonkeyPatch, secret: str) -> None:
    monkeypatch.setenv("STAMPEDE_SECRET", secret)
    found = ServerSettings().secret
    assert found is not None
    assert found.get_secret_value() == secret
