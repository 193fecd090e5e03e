from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from ._columns import Fields
from ._store import Store

_TYPES = {"int64": "INTEGER", "double": "REAL", "bool": "INTEGER"}
"""All others are TEXT: SQLite would read the declaration STRING as a number."""


class SqliteStore(Store):
    """Rows in SQLite. Booleans are 0 and 1, and nested values are JSON."""

    def __init__(self, path: Path) -> None:
        # Other programs may read the copy for up to a minute while this one waits to write.
        db = sqlite3.connect(path, isolation_level=None, timeout=60)
        db.execute("PRAGMA cache_size = -32000")
        super().__init__(path, db)

    def _tables(self) -> list[str]:
        return [name for (name,) in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]

    def _column_type(self, column: str) -> str:
        return _TYPES.get(column, "TEXT")

    def _create_table(self, kind: str, fields: dict[str, str]) -> None:
        others = [f'"{name}" {self._column_type(column)}' for name, column in fields.items() if name != "id"]
        self._db.execute(f'CREATE TABLE "{kind}" ({", ".join(["id INTEGER PRIMARY KEY", *others])})')

    def _change_type(self, kind: str, name: str, column: str) -> None:
        """A nested field has more members, which JSON takes as they are."""

    def _delete(self, kind: str, ids: list[int]) -> None:
        self._db.executemany(f'DELETE FROM "{kind}" WHERE id = ?', ([id] for id in ids))

    def _insert(self, kind: str, fields: dict[str, str], rows: list[Fields]) -> None:
        names, values = ", ".join(f'"{name}"' for name in fields), ", ".join("?" * len(fields))
        nested = [name for name, column in fields.items() if not column.isalnum()]
        for row in rows:
            row.update({name: json.dumps(row[name], ensure_ascii=False) for name in nested if row[name] is not None})
        values_of_rows = ([row[name] for name in fields] for row in rows)
        self._db.executemany(f'INSERT INTO "{kind}" ({names}) VALUES ({values})', values_of_rows)
