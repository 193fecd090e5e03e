from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

import filelock

from .. import types as t
from .._client import ChangeType, Client
from .._errors import CursorExpired
from ._columns import UnknownField, fetch_columns, latest_by_type
from ._failures import IN_USE, WRONG_USAGE, Failure
from ._prefetch import prefetched
from ._progress import Progress
from ._store import State, Store
from ._targets import Target, target_at

_MAX_RETRIES = 6
"""A long copy meets more faults than a single request."""


def copy_to(path: str, url: str, api_key: str, types: list[str] | None) -> int:
    """
    Copies all rows, or the changes since the last run.

    :param path: of the copy; its ending chooses the format.
    :param types: of resources; None for those of the copy, or all.
    :returns: the number of stored changes.
    """
    target = target_at(path)
    with _locked(target.path), Progress() as progress:
        with Client(
            url, api_key, user_agent="ticketing-copy", max_retries=_MAX_RETRIES, on_attempt=progress.attempted
        ) as client:
            client._longest_retry_after = float("inf")
            target.database.parent.mkdir(exist_ok=True)
            _Copy(client, target, url, types, progress).run()
        return progress.rows


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Lets one run at a time work on a copy. The system releases the lock of a killed run."""
    lock = filelock.FileLock(f"{path}.lock", blocking=False)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise Failure(f"Another run works on {path}. Wait until it ends.", IN_USE) from None
    try:
        yield
    finally:
        lock.release()


class _Copy:
    def __init__(self, client: Client, target: Target, url: str, types: list[str] | None, progress: Progress) -> None:
        self._client = client
        self._target = target
        self._url = url
        self._types = types
        self._progress = progress

    def run(self) -> None:
        database, following = self._target.database, self._target.next_database
        # An earlier run may have begun a new copy.
        if following.exists() or not self._bring_up_to_date(database):
            if not self._bring_up_to_date(following):
                following.unlink()
                self._bring_up_to_date(following)
            os.replace(following, database)
        self._target.write_files()

    def _bring_up_to_date(self, database: Path) -> bool:
        """Stores the changes since the last run. False if deletions may be missing, because that was too long ago."""
        with closing(self._target.open(database)) as store:
            state = store.state or self._create(store)
            self._check_same(state)
            try:
                for page in prefetched(self._pages_after(state.cursor)):
                    self._store(store, page)
                return True
            except CursorExpired:
                if state.cursor is None:
                    raise
                self._progress.note("The last run was more than 30 days ago. Copying everything again.")
                return False

    def _create(self, store: Store) -> State:
        state = State(self._url, self._types, fetch_columns(self._url, self._types), None)
        store.create(state)
        return state

    def _check_same(self, state: State) -> None:
        if state.url != self._url:
            message = f"{self._target.path} is a copy from {state.url}. Choose another target for {self._url}."
            raise Failure(message, WRONG_USAGE)
        if self._types not in (None, state.types):
            message = f"{self._target.path} contains {_text_of(state.types)}. Omit --types, or choose another target."
            raise Failure(message, WRONG_USAGE)
        self._types = state.types

    def _pages_after(self, cursor: str | None) -> Iterator[t.ChangesPage]:
        return self._client.changes(cursor=cursor, types=cast("Sequence[ChangeType] | None", self._types))

    def _store(self, store: Store, page: t.ChangesPage) -> None:
        rows, cursor = page["data"], page["pagination"]["resume_cursor"]
        try:
            self._store_rows(store, rows, cursor)
        except UnknownField:
            # A release of the service has added a type or a field.
            store.set_columns(fetch_columns(self._url, self._types))
            try:
                self._store_rows(store, rows, cursor)
            except UnknownField as error:
                message = f"The service has a new field without a type: {error}. Run the command again in a few minutes."
                raise Failure(message) from error
        self._progress.stored(len(rows), rows[-1]["changed_at"] if rows else None)

    def _store_rows(self, store: Store, rows: Sequence[t.Change], cursor: str) -> None:
        state = store.state
        store.store(latest_by_type(rows, state.columns if state else {}), cursor)


def _text_of(types: list[str] | None) -> str:
    return "all types" if types is None else f"the types {','.join(types)}"
