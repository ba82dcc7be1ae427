"""Locks between processes, and pictures as documents: what several packages build on."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from stampede.core.drawing import Drawing
from stampede.core.processes import stop_with_parent, try_lock


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such lock")
def test_a_file_has_one_writer_or_many_readers(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.touch()
    with path.open() as first, path.open() as second, path.open() as third:
        assert try_lock(first.fileno(), shared=True)
        assert try_lock(second.fileno(), shared=True)
        assert not try_lock(third.fileno()), "others read"
        first.close()
        assert not try_lock(third.fileno()), "one still reads"
        second.close()
        assert try_lock(third.fileno())
        with path.open() as late:
            assert not try_lock(late.fileno(), shared=True), "another one writes"


def test_only_a_process_with_a_parent_can_end_with_it() -> None:
    with pytest.raises(RuntimeError, match="expected a process that multiprocessing has started"):
        stop_with_parent()


def test_a_drawing_keeps_its_proportions_as_a_document() -> None:
    drawing = Drawing('<rect width="8" height="6"/>', 8, 6, ())
    root = ElementTree.fromstring(drawing.svg(400))  # noqa: S314 - our own text
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("400", "300", "0 0 8 6")
    assert [child.tag.rpartition("}")[2] for child in root] == ["rect"]
