"""Records for kernels that run as plain Python: their fields are found as quickly as attributes of any class.

NumPy's own record looks a field up in Python at every access, which is half of the time of such a kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["quick_record"]


def quick_record(fields: np.dtype[Any]) -> type[np.record]:
    """A class of records with a property for each field of a structured type."""
    members: dict[str, object] = {
        "__slots__": (),
        "__getattribute__": np.void.__getattribute__,
        "__setattr__": np.void.__setattr__,
    }
    for name, (kind, offset, *_) in (fields.fields or {}).items():
        members[name] = _field(kind, offset)
    return type("QuickRecord", (np.record,), members)


def _field(kind: np.dtype[Any], offset: int) -> property:
    def get(record: np.record) -> Any:
        return record.getfield(kind, offset)

    def change(record: np.record, value: Any) -> None:
        record.setfield(value, kind, offset)

    return property(get, change)
