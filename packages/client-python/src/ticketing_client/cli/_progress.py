from __future__ import annotations

import time
from types import TracebackType

from rich.console import Console
from rich.status import Status

from .._client import Attempt

_LINE_SECONDS = 60
"""Between the lines of a run without a terminal."""


class Progress:
    """Shows on stderr how far a copy is: as one changing line on a terminal, otherwise as a line a minute."""

    def __init__(self) -> None:
        self.rows = 0
        self._console = Console(stderr=True, highlight=False)
        self._status = Status("Connecting", console=self._console) if self._console.is_terminal else None
        self._started = self._printed = time.monotonic()

    def __enter__(self) -> Progress:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._status:
            self._status.stop()

    def stored(self, rows: int, changed_at: str | None) -> None:
        """:param changed_at: of the last of the rows."""
        self.rows += rows
        now = time.monotonic()
        rate = self.rows / max(now - self._started, 0.001)
        until = f", changes until {changed_at}" if changed_at else ""
        line = f"{self.rows:,} rows, {rate:,.0f} rows a second{until}"
        if self._status:
            self._status.update(line)
        elif now - self._printed >= _LINE_SECONDS:
            self._printed = now
            self.note(line)

    def note(self, line: str) -> None:
        self._console.print(line, soft_wrap=True, markup=False)

    def attempted(self, attempt: Attempt) -> None:
        text = retry_text(attempt)
        if text:
            self.note(text)


def retry_text(attempt: Attempt) -> str | None:
    """Why and when a request is repeated; None if that is within a second, or never."""
    if attempt.retry_in is None or attempt.retry_in < 1:
        return None
    reason = f"The service responds {attempt.status}" if attempt.status else "The service does not respond"
    return f"{reason}. Next try in {attempt.retry_in:.0f} s."
