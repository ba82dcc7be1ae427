"""Searches of leaves for tests that end their process, Ray's daemon, or themselves."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from stampede.core.errors import InputError
from stampede.proofs.manager.leaf import LeafJob, LeafResult, search_leaf

__all__ = ["die", "die_once", "fail", "kill_cluster_late"]


def die(job: LeafJob) -> LeafResult:
    """Kills its process."""
    os.kill(os.getpid(), signal.SIGKILL)
    return search_leaf(job)


def die_once(mark: Path, job: LeafJob) -> LeafResult:
    """Kills its process, but for a mark that says that this was done."""
    if not mark.exists():
        mark.touch()
        die(job)
    return search_leaf(job)


def fail(_job: LeafJob) -> LeafResult:
    """Refuses."""
    raise InputError("expected a tablebase, got none")


def kill_cluster_late(marks: Path, job: LeafJob) -> LeafResult:
    """Searches two leaves, then kills Ray's daemon here, which has started this process."""
    if len(list(marks.iterdir())) == 2:
        os.kill(os.getppid(), signal.SIGKILL)
    (marks / str(job.key)).touch()
    return search_leaf(job)
