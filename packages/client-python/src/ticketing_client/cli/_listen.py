from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast

import click

from .. import types as t
from .._client import Attempt, ChangeType, Client
from ._failures import Failure
from ._progress import retry_text
from ._receiver import Receiver

_MAXIMUM_CHANGES = 100
"""Of a message, as the service sends it."""
_POLL_SECONDS = 2.0
_COALESCING_SECONDS = 5.0
"""After a message, changes are merged into the next one."""
_RETRY_SECONDS = [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200]
"""After the first, second, and so on, failure of a message. The last repeats."""


@dataclass
class _Summary:
    messages: int = 0
    changes: int = 0
    failures: int = 0

    def __str__(self) -> str:
        return f"{self.messages:,} messages with {self.changes:,} changes accepted, {self.failures:,} attempts failed."


def listen_to(url: str, api_key: str, receiver: Receiver, types: Sequence[str] | None, since: str | None) -> None:
    """
    Posts messages about new changes to a receiver, until Ctrl-C.

    :param since: the time of the first changes, in ISO 8601; now by default.
    """
    summary = _Summary()
    try:
        with Client(url, api_key, user_agent="ticketing-listen", on_attempt=_show_retry) as client:
            response = client._send("GET", "/v1/key")
            organisation_id = response.json()["organisation_id"]
            # The service's clock, because it refuses a future time.
            start = since or parsedate_to_datetime(response.headers["Date"])
            click.echo(f"Signing secret: {receiver.secret}")
            click.echo(f"Forwarding the changes of organisation {organisation_id} to {receiver.url}. Ctrl-C stops.")
            for page in _pages_from(client, start, types):
                for data in _messages_of(page, organisation_id):
                    _deliver(receiver, data, summary)
                if not page["pagination"]["has_more"]:
                    time.sleep(_COALESCING_SECONDS if page["data"] else _POLL_SECONDS)
    except KeyboardInterrupt:
        pass
    finally:
        click.echo(str(summary))


def _show_retry(attempt: Attempt) -> None:
    text = retry_text(attempt)
    if text:
        click.echo(text, err=True)


def _pages_from(client: Client, start: datetime | str, types: Sequence[str] | None) -> Iterator[t.ChangesPage]:
    """All pages, also those of later changes."""
    cursor = None
    chosen = cast("Sequence[ChangeType] | None", types)
    while True:
        for page in client.changes(cursor=cursor, changed_since=start, types=chosen):
            cursor = page["pagination"]["resume_cursor"]
            yield page


def _messages_of(page: t.ChangesPage, organisation_id: int) -> Iterator[dict[str, Any]]:
    """The data of messages about a page's changes."""
    changes = [_without_data(cast("dict[str, Any]", row)) for row in page["data"]]
    for first in range(0, len(changes), _MAXIMUM_CHANGES):
        end = first + _MAXIMUM_CHANGES
        has_more = end < len(changes) or page["pagination"]["has_more"]
        yield {"organisation_id": organisation_id, "has_more": has_more, "changes": changes[first:end]}


def _without_data(row: dict[str, Any]) -> dict[str, Any]:
    place = {name: value for name, value in row.items() if name != "data"}
    if row["type"] == "balance_payment":
        place["event_id"] = row["data"] and row["data"]["event_id"]
    return place


def _deliver(receiver: Receiver, data: dict[str, Any], summary: _Summary) -> None:
    """Posts a message until the receiver accepts it."""
    number = len(data["changes"])
    failures = 0
    while True:
        response = receiver.post("changes", data)
        line = f"{datetime.now():%H:%M:%S}  {number} changes: {response.outcome} in {response.milliseconds:.0f} ms"
        if response.is_accepted:
            click.echo(line)
            summary.messages += 1
            summary.changes += number
            return
        summary.failures += 1
        if response.status == 410:
            click.echo(line)
            raise Failure("The receiver responds 410, so the service would disable the webhook. Fix the receiver, and start again.")
        delay = max(_RETRY_SECONDS[min(failures, len(_RETRY_SECONDS) - 1)], response.retry_after)
        failures += 1
        click.echo(f"{line}. Next try in {delay:.0f} s")
        time.sleep(delay)
