"""Prints the rows of a copy as JSON, by type: `readCopy.py TARGET`."""

import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import duckdb

Rows = list[dict[str, Any]]


def rows_of(relation: duckdb.DuckDBPyRelation) -> Rows:
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def parsed(row: dict[str, Any]) -> dict[str, Any]:
    """With the nested values, which are texts in SQLite and CSV."""
    nested = {name: json.loads(value) for name, value in row.items() if isinstance(value, str) and value[:2] in ("[{", "[]", "[1")}
    return {**row, **nested}


def in_duckdb(target: Path) -> dict[str, Rows]:
    with duckdb.connect(str(target), read_only=True) as db:
        names = [name for (name,) in db.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return {name: rows_of(db.table(name)) for name in names if name != "ticketing_copy"}


def in_sqlite(target: Path) -> dict[str, Rows]:
    db = sqlite3.connect(target)
    db.row_factory = sqlite3.Row
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    tables = {name: db.execute(f'SELECT * FROM "{name}"') for name in names if name != "ticketing_copy"}
    return {name: [parsed(dict(row)) for row in rows] for name, rows in tables.items()}


def in_parquet(target: Path) -> dict[str, Rows]:
    return {file.stem: rows_of(duckdb.read_parquet(str(file))) for file in target.glob("[!.]*.parquet")}


def in_csv(target: Path) -> dict[str, Rows]:
    def read(file: Path) -> Rows:
        # Without quotes an empty field is null, with quotes an empty text.
        relation = duckdb.read_csv(str(file), allow_quoted_nulls=False, all_varchar=True)
        return [parsed(row) for row in rows_of(relation)]

    return {file.stem: read(file) for file in target.glob("[!.]*.csv")}


target = Path(sys.argv[1])
readers = {".duckdb": in_duckdb, ".sqlite": in_sqlite, ".parquet": in_parquet, ".csv": in_csv}
print(json.dumps(readers[target.suffix](target)))
