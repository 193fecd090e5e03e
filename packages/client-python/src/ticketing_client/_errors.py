from __future__ import annotations

import json
from typing import Any

import httpx


class TicketingError(Exception):
    """An error response, or a success without the API's JSON. It never contains the API key or the request."""

    status: int
    """The HTTP status."""
    code: str | None
    """The kind of error, for programs; None if the response did not come from the API."""
    detail: str
    """The explanation, for people."""
    errors: list[dict[str, str]]
    """The invalid values, if the request was invalid."""
    required_scope: str | None
    """The scope that the key lacks."""
    request_id: str | None
    """Quote it when you report a problem."""

    def __init__(self, response: httpx.Response) -> None:
        body = json_object_in(response) or {}
        problem = body if {"code", "detail", "request_id"} <= body.keys() else {}
        damaged = "is damaged, or " if response.is_success else ""
        self.status = response.status_code
        self.code = problem.get("code")
        self.detail = problem.get("detail", f"The response {damaged}did not come from the Ticketing API.")
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


def json_object_in(response: httpx.Response) -> dict[str, Any] | None:
    """The body's JSON object; None for any other body, which a proxy may have sent."""
    try:
        # int rejects NaN and Infinity, which are not JSON.
        body = json.loads(response.content.decode("utf-8-sig"), parse_constant=int)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None
