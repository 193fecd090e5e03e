from __future__ import annotations

from typing import Any

import httpx


class TicketingError(Exception):
    """An error response, or a response that did not come from the API. It never contains the API key or the request."""

    status: int
    """The HTTP status."""
    code: str | None
    """The kind of error, for programs; None if the response did not come from the API."""
    detail: str
    """What went wrong, for people."""
    errors: list[dict[str, str]]
    """The invalid values, if the request was not valid."""
    required_scope: str | None
    """The scope that the key lacks."""
    request_id: str | None
    """Quote it when you report a problem."""

    def __init__(self, response: httpx.Response) -> None:
        problem = _problem_in(response)
        self.status = response.status_code
        self.code = problem.get("code")
        self.detail = problem.get("detail", "The response did not come from the Ticketing API.")
        self.errors = problem.get("errors", [])
        self.required_scope = problem.get("required_scope")
        self.request_id = problem.get("request_id")
        request = self.request_id and f"(request {self.request_id})"
        parts = [str(self.status), self.code, self.detail, request]
        super().__init__(" ".join(part for part in parts if part))


class CursorExpired(TicketingError):
    """The position is so old that deletions may be missing. Start over without a cursor and with an empty copy."""


def error_of(response: httpx.Response) -> TicketingError:
    error = TicketingError(response)
    return CursorExpired(response) if error.code == "cursor_expired" else error


def _problem_in(response: httpx.Response) -> dict[str, Any]:
    """A proxy in between may also respond, in any format."""
    try:
        body = response.json()
    except ValueError:
        return {}
    is_problem = isinstance(body, dict) and {"code", "detail", "request_id"} <= body.keys()
    return body if is_problem else {}
