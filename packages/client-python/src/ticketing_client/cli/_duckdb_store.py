from __future__ import annotations

import json
from pathlib import Path

import duckdb

from ._columns import Fields, UnknownField
from ._failures import IN_USE, Failure
from ._store import Store

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    # Limits memory, whatever the size of the copy.
    "memory_limit": "128MB",
    "threads": "1",
    "preserve_insertion_order": "false",
    # A checkpoint rewrites up to 122,880 rows of each table, so the default of 16 MB adds a quarter to the time of a large copy.
    "checkpoint_threshold": "64MB",
}


class DuckDbStore(Store):
    """Rows in DuckDB, which takes the types of columns unchanged."""

    def __init__(self, path: Path) -> None:
        try:
            db = duckdb.connect(str(path), config=_CONFIG)
        except duckdb.IOException as error:
            if "lock" not in str(error):
                raise
            message = f"{path} is open in another program. Close it there, and run the command again."
            raise Failure(message, IN_USE) from error
        super().__init__(path, db)

    def _tables(self) -> list[str]:
        return [name for (name,) in self._db.execute("SELECT table_name FROM duckdb_tables()").fetchall()]

    def _column_type(self, column: str) -> str:
        return column

    def _create_table(self, kind: str, fields: dict[str, str]) -> None:
        self._db.execute(f'CREATE TABLE "{kind}" ({_definitions(fields)})')

    def _change_type(self, kind: str, name: str, column: str) -> None:
        self._db.execute(f'ALTER TABLE "{kind}" ALTER COLUMN "{name}" SET DATA TYPE {column}')

    def _delete(self, kind: str, ids: list[int]) -> None:
        self._db.execute(f'DELETE FROM "{kind}" WHERE id IN (SELECT unnest(?))', [ids])

    def _insert(self, kind: str, fields: dict[str, str], rows: list[Fields]) -> None:
        # DuckDB reads columns of JSON many times faster than parameters or rows of JSON. The cast fails for missing and unknown nested fields.
        names = ", ".join(f'"{name}"' for name in fields)
        values = ", ".join(f"unnest(CAST(CAST(? AS JSON) AS {column}[]))" for column in fields.values())
        texts = [json.dumps([row[name] for row in rows]) for name in fields]
        try:
            self._db.execute(f'INSERT INTO "{kind}" ({names}) SELECT {values}', texts)
        except duckdb.ConversionException as error:
            raise UnknownField(f"{kind}: {error}") from error


def _definitions(fields: dict[str, str]) -> str:
    return ", ".join(f'"{name}" {column}' for name, column in fields.items())
