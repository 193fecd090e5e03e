from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ._failures import WRONG_USAGE, Failure
from ._store import Store


@dataclass(frozen=True)
class Target:
    """A copy's place and format."""

    path: Path

    @property
    def ending(self) -> str:
        return self.path.suffix[1:]

    @property
    def is_folder(self) -> bool:
        return self.ending in ("parquet", "csv")

    @property
    def database(self) -> Path:
        """The database with rows and cursor: the copy itself, or the one from which a folder's files are written."""
        return self.path / ".copy.duckdb" if self.is_folder else self.path

    @property
    def next_database(self) -> Path:
        """A new database, while it is not complete."""
        return self.database.with_name(f"{self.database.name}.new")

    def open(self, database: Path) -> Store:
        if self.ending == "sqlite":
            from ._sqlite_store import SqliteStore

            return SqliteStore(database)
        if self.is_folder:
            from ._folder_store import FolderStore

            return FolderStore(database)
        from ._duckdb_store import DuckDbStore

        return DuckDbStore(database)

    def write_files(self) -> None:
        """Replaces a folder's files that are out of date or missing."""
        if self.is_folder:
            from ._folder_store import FolderStore

            with closing(FolderStore(self.database)) as store:
                store.write_files(self.path, self.ending)


def target_at(name: str) -> Target:
    """The target at a path, whose ending chooses the format."""
    target = Target(Path(name))
    if target.ending not in ("duckdb", "sqlite", "parquet", "csv"):
        raise Failure("TARGET must end with .duckdb, .sqlite, .parquet or .csv.", WRONG_USAGE)
    if not target.path.parent.is_dir():
        raise Failure(f"Create the folder {target.path.parent} first.", WRONG_USAGE)
    if target.path.exists() and target.path.is_dir() != target.is_folder:
        raise Failure(f"{name} is not {'a folder' if target.is_folder else 'a file'}. Choose another target.", WRONG_USAGE)
    if target.is_folder and target.path.exists() and not _has_copy(target):
        raise Failure(f"{name} contains other files. Choose an empty or new folder.", WRONG_USAGE)
    return target


def _has_copy(target: Target) -> bool:
    return target.database.exists() or target.next_database.exists() or not any(target.path.iterdir())
