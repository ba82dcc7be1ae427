"""Settings: the environment, and the old names that still work."""

import warnings

import pytest

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
