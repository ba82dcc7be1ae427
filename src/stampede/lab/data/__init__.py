"""Games as tables: writes records as Parquet files, and loads them into Arrow, pandas and Polars (docs/data.md).

    from pathlib import Path
    from stampede.lab.data import Dataset, export, record_lines

    export(record_lines(Path("games.jsonl")), Path("tables"))
    data = Dataset("tables")
    steps = data.polars("steps")

Needs the extra ``data``; the extra ``frames`` brings pandas and Polars, too.
"""

from stampede.lab.data.dataset import Dataset
from stampede.lab.data.exporter import Exported, export, record_lines
from stampede.lab.data.schema import FORMAT, TableName

__all__ = ["FORMAT", "Dataset", "Exported", "TableName", "export", "record_lines"]
