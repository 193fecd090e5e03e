from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from .. import types as t
from ._failures import WRONG_USAGE, Failure

Columns = dict[str, dict[str, str]]
"""The types of columns by type of resource, as in /openapi/types.json: int64, double, string, bool, and nested ones."""

Fields = dict[str, Any]

_NAME = re.compile("[a-z][a-z0-9_]*")
_TYPE = re.compile(r"[a-z0-9_ ,()\[\]]+")
_ENVELOPE = {"type", "id", "change", "changed_at", "key", "data"}


class UnknownField(Exception):
    """A row has a type or field without a column, as after a release of the service."""


def fetch_columns(url: str, types: Sequence[str] | None) -> Columns:
    """The columns of these types, or of all. It sends no key."""
    response = httpx.get(f"{url}/openapi/types.json", timeout=30)
    if not response.is_success:
        raise Failure(f"The service failed: {response.status_code} for /openapi/types.json. Run the command again later.")
    columns = _columns_in(response)
    unknown = [name for name in types or [] if name not in columns]
    if unknown:
        message = f"{', '.join(unknown)} is not a type. The types are {', '.join(columns)}."
        raise Failure(message, WRONG_USAGE)
    return {name: fields for name, fields in columns.items() if types is None or name in types}


def _columns_in(response: httpx.Response) -> Columns:
    """They become parts of statements, so their form is checked."""
    try:
        columns: Columns = response.json()
        for kind, fields in columns.items():
            for name, column in fields.items():
                if not (_NAME.fullmatch(kind) and _NAME.fullmatch(name) and _TYPE.fullmatch(column)):
                    raise ValueError(name)
    except (ValueError, AttributeError, TypeError) as error:
        raise Failure(f"{response.url} did not return the types of columns. Check BASE_URL.", WRONG_USAGE) from error
    return columns


def latest_by_type(rows: Sequence[t.Change], columns: Columns) -> dict[str, dict[int, Fields | None]]:
    """
    Each changed resource's fields for its type's columns, in their order; None if it was deleted.

    :raises UnknownField: if a column is missing.
    """
    latest: dict[str, dict[int, Fields | None]] = {}
    for row in rows:
        kind = row["type"]
        if kind not in columns:
            raise UnknownField(kind)
        latest.setdefault(kind, {})[row["id"]] = _fields_of(row, columns[kind])
    return latest


def _fields_of(row: Mapping[str, Any], columns: Mapping[str, str]) -> Fields | None:
    data = row["data"]
    if data is None:
        return None
    # Other fields beside the data describe the change.
    beside = {name: row[name] for name in (row.keys() - _ENVELOPE) & columns.keys()}
    fields = {**beside, **data}
    if fields.keys() == columns.keys():
        return fields
    unknown = fields.keys() - columns.keys()
    if unknown:
        raise UnknownField(f"{row['type']}.{min(unknown)}")
    return {name: fields.get(name) for name in columns}
