from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ._columns import Columns, Fields
from ._failures import WRONG_USAGE, Failure


@dataclass(frozen=True)
class State:
    """Where a copy comes from, and how far it is."""

    url: str
    types: list[str] | None
    """The types of resources, because a cursor is valid only for them; None for all, including later ones."""
    columns: Columns
    cursor: str | None


class Store(ABC):
    """
    A database with a table for each type of resource, and a table with the copy's state.

    Each transaction stores rows with the cursor after them, so an interrupted run leaves a state from which the next one continues.
    """

    def __init__(self, path: Path, db: Any) -> None:
        self._path = path
        self._db = db
        self.state = self._stored_state()

    def close(self) -> None:
        self._db.close()

    def create(self, state: State) -> None:
        with self._transaction():
            self._db.execute("CREATE TABLE ticketing_copy (url TEXT, types TEXT, columns TEXT, cursor TEXT)")
            values = [state.url, json.dumps(state.types), "{}", None]
            self._db.execute("INSERT INTO ticketing_copy VALUES (?, ?, ?, ?)", values)
            self._set_columns(state.columns, {})
        self.state = state

    def set_columns(self, columns: Columns) -> None:
        """Adds missing tables and columns."""
        state = self._existing_state()
        with self._transaction():
            self._set_columns(columns, state.columns)
        self.state = replace(state, columns=columns)

    def store(self, latest: dict[str, dict[int, Fields | None]], cursor: str) -> None:
        """Stores the latest fields of each resource, None for a deleted one, and the cursor after them."""
        state = self._existing_state()
        with self._transaction():
            for kind, resources in latest.items():
                self._delete(kind, list(resources))
                rows = [fields for fields in resources.values() if fields is not None]
                if rows:
                    self._insert(kind, state.columns[kind], rows)
            self._db.execute("UPDATE ticketing_copy SET cursor = ?", [cursor])
        self.state = replace(state, cursor=cursor)

    def _existing_state(self) -> State:
        if self.state is None:
            raise RuntimeError("The copy does not exist yet.")
        return self.state

    def _set_columns(self, columns: Columns, before: Columns) -> None:
        for kind, fields in columns.items():
            if kind not in before:
                self._create_table(kind, fields)
                continue
            for name, column in fields.items():
                if name not in before[kind]:
                    self._db.execute(f'ALTER TABLE "{kind}" ADD COLUMN "{name}" {self._column_type(column)}')
                elif column != before[kind][name]:
                    self._change_type(kind, name, column)
        self._db.execute("UPDATE ticketing_copy SET columns = ?", [json.dumps(columns)])

    def _stored_state(self) -> State | None:
        tables = self._tables()
        if "ticketing_copy" in tables:
            [[url, types, columns, cursor]] = self._db.execute("SELECT * FROM ticketing_copy").fetchall()
            return State(url, json.loads(types), json.loads(columns), cursor)
        if tables:
            self.close()
            raise Failure(f"{self._path} is not a copy by this command. Choose another target.", WRONG_USAGE)
        return None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            # A full disk has already ended the transaction, and its own error says more.
            with suppress(Exception):
                self._db.execute("ROLLBACK")
            raise

    @abstractmethod
    def _tables(self) -> list[str]: ...

    @abstractmethod
    def _column_type(self, column: str) -> str: ...

    @abstractmethod
    def _create_table(self, kind: str, fields: dict[str, str]) -> None: ...

    @abstractmethod
    def _change_type(self, kind: str, name: str, column: str) -> None: ...

    @abstractmethod
    def _delete(self, kind: str, ids: list[int]) -> None: ...

    @abstractmethod
    def _insert(self, kind: str, fields: dict[str, str], rows: list[Fields]) -> None: ...
