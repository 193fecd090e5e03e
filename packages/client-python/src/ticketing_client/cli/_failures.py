from __future__ import annotations

import sqlite3

import duckdb
import httpx

from .._errors import TicketingError

FAILED = 1
"""The service, the network or the disk failed. The next run continues."""
WRONG_USAGE = 2
"""Also click's code for wrong arguments. The same command fails again."""
IN_USE = 3
"""Another run, or another program, uses the copy."""
INTERRUPTED = 130
"""As shells report Ctrl-C."""


class Failure(Exception):
    """The end of the command: a sentence with what to do. It never contains the API key."""

    def __init__(self, message: str, exit_code: int = FAILED) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = exit_code


def failure_of(error: Exception) -> Failure | None:
    """The failure that an error means; None for an error in this program."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, TicketingError):
        return _refusal_of(error)
    if isinstance(error, httpx.RequestError):
        problem = f"The service did not respond ({type(error).__name__})."
        return Failure(f"{problem} Check BASE_URL and the network, and run the command again.")
    if isinstance(error, (OSError, sqlite3.Error, duckdb.Error)):
        reason = str(error).strip().splitlines()[0]
        return Failure(f"The copy cannot be written: {reason.removesuffix('.')}. Fix this, and run the command again: it continues.")
    if type(error) is RuntimeError and str(error) == "Query interrupted":
        # DuckDB raises this instead of KeyboardInterrupt at Ctrl-C during a statement.
        return Failure("Stopped.", INTERRUPTED)
    if type(error) is RuntimeError:
        return Failure(f"The service failed: {error} Run the command again later: it continues.")
    # The client's own messages about its arguments.
    return Failure(str(error), WRONG_USAGE) if type(error) is ValueError else None


def _refusal_of(error: TicketingError) -> Failure:
    if error.status == 401:
        return Failure("The service does not accept the API key. Set API_KEY to a valid key.", WRONG_USAGE)
    if error.status == 403:
        return Failure(f"{error.detail} Use a key with the scope read.", WRONG_USAGE)
    if error.status == 400:
        details = " ".join([error.detail, *(one.get("detail", "") for one in error.errors)])
        return Failure(f"The service rejected the request: {details}", WRONG_USAGE)
    return Failure(f"The service failed: {error}. Run the command again later: it continues.")
