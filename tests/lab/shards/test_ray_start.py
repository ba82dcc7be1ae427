"""A local Ray that starts late is started again. With a stand-in for Ray, whose slow starts can't be had on request."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from stampede.core.errors import InputError, JobStopped
from stampede.lab.shards.connection import connected_ray


class LateRay(ModuleType):
    """Ray, as far as a connection goes: it raises what it is given, start by start."""

    def __init__(self, *errors: Exception) -> None:
        super().__init__("ray")
        self.__spec__ = ModuleSpec("ray", None)
        self.errors = list(errors)
        self.calls: list[str] = []

    def init(self, **options: object) -> None:
        """Starts, or fails as it was told to."""
        self.calls.append(str(options["address"]))
        if self.errors:
            raise self.errors.pop(0)

    def shutdown(self) -> None:
        """Ends what was started."""
        self.calls.append("shutdown")


def late() -> Exception:
    """What Ray raises after half a minute; it has no type of its own."""
    return Exception("The current node timed out during startup.\n  This could happen ...")


def test_a_local_cluster_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = LateRay(late(), late())
    monkeypatch.setitem(sys.modules, "ray", ray)
    with connected_ray() as found:
        assert found is ray
    assert ray.calls == ["local", "shutdown", "local", "shutdown", "local", "shutdown"]


def test_a_cluster_that_never_starts_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = LateRay(late(), late(), late())
    monkeypatch.setitem(sys.modules, "ray", ray)
    with (
        pytest.raises(JobStopped, match=r"Ray didn't start: .*timed out .*\. This could"),
        connected_ray(),
    ):
        pass
    assert ray.calls.count("local") == 3


def test_other_errors_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = LateRay(ValueError("no such option"))
    monkeypatch.setitem(sys.modules, "ray", ray)
    with (
        pytest.raises(InputError, match="--ray: expected a cluster at local, but no such option"),
        connected_ray(),
    ):
        pass
    assert ray.calls == ["local"]
