from __future__ import annotations

import os
from pathlib import Path

from ._columns import Fields
from ._duckdb_store import DuckDbStore

_OPTIONS = {
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    # An empty field is null, and a quoted one an empty text.
    "csv": "FORMAT csv, HEADER",
}


class FolderStore(DuckDbStore):
    """A DuckDB database, from which a file for each type is written. It remembers which files are out of date."""

    def _create_table(self, kind: str, fields: dict[str, str]) -> None:
        super()._create_table(kind, fields)
        self._db.execute("CREATE TABLE IF NOT EXISTS ticketing_outdated (kind TEXT)")
        self._outdate(kind)

    def _change_type(self, kind: str, name: str, column: str) -> None:
        super()._change_type(kind, name, column)
        self._outdate(kind)

    def _delete(self, kind: str, ids: list[int]) -> None:
        super()._delete(kind, ids)
        self._outdate(kind)

    def _outdate(self, kind: str) -> None:
        known = "SELECT * FROM ticketing_outdated"
        self._db.execute(f"INSERT INTO ticketing_outdated SELECT ? WHERE ? NOT IN ({known})", [kind, kind])

    def write_files(self, folder: Path, ending: str) -> None:
        """Replaces the files that are out of date or missing."""
        outdated = {kind for (kind,) in self._db.execute("SELECT kind FROM ticketing_outdated").fetchall()}
        for kind, fields in self._existing_state().columns.items():
            file = folder / f"{kind}.{ending}"
            if kind in outdated or not file.exists():
                self._write(kind, fields, file)
        self._db.execute("DELETE FROM ticketing_outdated")

    def _write(self, kind: str, fields: dict[str, str], file: Path) -> None:
        ending = file.suffix[1:]
        unfinished = file.with_name(f".{file.name}")
        values = [_exported(name, column, ending) for name, column in fields.items()]
        options = _OPTIONS[ending]
        path = str(unfinished).replace("'", "''")
        self._db.execute(f"""COPY (SELECT {", ".join(values)} FROM "{kind}") TO '{path}' ({options})""")
        with unfinished.open("rb+") as written:
            os.fsync(written.fileno())
        unfinished.replace(file)


def _exported(name: str, column: str, ending: str) -> str:
    """Nested values are JSON in CSV."""
    is_nested = not column.isalnum()
    return f'to_json("{name}") AS "{name}"' if ending == "csv" and is_nested else f'"{name}"'
