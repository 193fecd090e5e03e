from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime, timezone
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any, Literal, cast
from uuid import uuid4

import httpx

from . import types as t
from ._errors import TicketingError, error_of, json_object_in
from ._reads import Query, Reads, Row, Time

__version__ = "1.3.0"

ChangeType = Literal[
    "event",
    "event_date",
    "ticket_category",
    "order",
    "ticket",
    "payment",
    "discount",
    "attendee",
    "balance_payment",
]
_PER_PAGE = 1000
_LONGEST_RETRY_AFTER = 60.0
"""In seconds. If the service asks for more, the error is raised at once."""
_FIRST_PAUSE = 0.5
_TEMPORARY = {408, 425, 500, 502, 503, 504}
"""Temporary failures. One from a proxy may hide that the request succeeded."""


@dataclass(frozen=True)
class Attempt:
    """One try of a request, and how it ended. Times are in seconds."""

    method: str
    url: str
    """With the query, which may contain an e-mail address."""
    number: int
    """1 for the first."""
    duration: float
    status: int | None
    """None if no response arrived."""
    request_id: str | None
    error: Exception | None
    """Why there was no response, or a success without the API's JSON."""
    retry_in: float | None
    """The wait before the next try; None if this was the last."""


class Client(Reads):
    """
    A client for the API. Close it, or use it in a ``with`` statement. Threads may share it.

    It always retries 429. It retries other temporary failures, and lost or unreadable responses, only if the request may safely be repeated.
    It follows no redirect.

    :param base_url: the API's address: ``https://api.example.com``.
    :param api_key: the organisation's API key. It is sent with every request and never logged.
    :param timeout: the seconds to connect, to wait for each part of a response, and to receive its whole body.
    :param max_retries: tries after the first.
    :param user_agent: the name of your program, for the ``User-Agent`` header: ``nightly-sync/2.1``.
    :param on_attempt: called after each try, for logs and metrics.
    :param http_client: sends the requests, for example through a proxy or with certificates of your own. You close it yourself.
    :param sleep: waits before a retry.
    :raises ValueError: if an argument is missing or invalid; the message does not contain the key.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        max_retries: int = 3,
        user_agent: str | None = None,
        on_attempt: Callable[[Attempt], None] | None = None,
        http_client: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not isinstance(base_url, str) or not re.match(r"https?://.", base_url):
            raise ValueError("base_url must be the API's address: https://…")
        if not isinstance(api_key, str) or api_key == "":
            raise ValueError("api_key is missing.")
        # Otherwise the error for an invalid header value would contain the key.
        if not re.fullmatch(r"[A-Za-z0-9_]+", api_key):
            raise ValueError("The API key contains invalid characters.")
        if not isinstance(timeout, (int, float)) or not 0 < timeout < float("inf"):
            raise ValueError("timeout must be a positive number.")
        if not isinstance(max_retries, int) or max_retries < 0:
            raise ValueError("max_retries must be 0 or a positive integer.")
        agent = f"ticketing-client-python/{__version__}"
        self._base_url = base_url.rstrip("/")
        self._headers = {
            "Authorization": f"Bearer {api_key}",
            "User-Agent": f"{user_agent} {agent}" if user_agent else agent,
        }
        self._timeout = timeout
        self._max_retries = max_retries
        self._longest_retry_after = _LONGEST_RETRY_AFTER
        self._on_attempt = on_attempt
        self._owned = httpx.Client() if http_client is None else None
        self._http = http_client or cast(httpx.Client, self._owned)
        self._sleep = sleep

    def close(self) -> None:
        if self._owned:
            self._owned.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def order_with_etag(self, id: int) -> tuple[t.OrderWithTickets, str]:
        """The order and its ``ETag``, for :meth:`update_order_note`."""
        response = self._send("GET", f"/v1/orders/{id}")
        return cast(t.OrderWithTickets, response.json()), response.headers["ETag"]

    def update_order_note(self, id: int, note: str | None, *, etag: str | None = None) -> t.OrderWithTickets:
        """
        Sets the back office's note; None removes it. The request is not retried after a lost response.

        :param etag: the ``ETag`` of the order that you read.
        :raises TicketingError: ``precondition_failed`` if the order has changed since; nothing is written.
        """
        headers = {} if etag is None else {"If-Match": etag}
        response = self._send("PATCH", f"/v1/orders/{id}", json={"admin_note": note}, headers=headers)
        return cast(t.OrderWithTickets, response.json())

    def changes(
        self,
        *,
        cursor: str | None = None,
        changed_since: Time | None = None,
        types: Sequence[ChangeType] | None = None,
    ) -> Iterator[t.ChangesPage]:
        """
        The pages of changes and deletions, up to the latest visible change; at least one, which may be empty.

        Store each page's ``data``, then ``pagination["resume_cursor"]``, so that nothing is missed.

        :param cursor: the ``resume_cursor`` that you stored last.
        :param changed_since: skips changes that the service accepted earlier. Ignored with a cursor.
        :param types: by default all. A cursor works only with the same types.
        :raises CursorExpired: if the start is more than 30 days old.
        :raises RuntimeError: if a page leads to itself, as from a faulty cache.
        :raises ValueError: for a datetime without a time zone.
        """
        start: dict[str, Time | None] = {"cursor": cursor} if cursor is not None else {"changed_since": changed_since}
        while True:
            page = self._get(t.ChangesPage, "/v1/changes", {"per_page": _PER_PAGE, "types": types, **start})
            resume_cursor = page["pagination"]["resume_cursor"]
            has_more = page["pagination"]["has_more"]
            if has_more:
                _check_other(resume_cursor, start.get("cursor"))
            yield page
            if not has_more:
                return
            start = {"cursor": resume_cursor}

    def record_balance_payment(
        self, event_id: int, payment: t.BalancePaymentInput, *, idempotency_key: str | None = None
    ) -> t.BalancePayment:
        """
        Records a payment or refund against an event's balance exactly once, including retries.

        :param idempotency_key: identifies the request to the service for 24 hours; a new one by default. Store your own if
            your program may restart before the request succeeds.
        """
        headers = {"Idempotency-Key": str(uuid4()) if idempotency_key is None else idempotency_key}
        response = self._send("POST", f"/v1/events/{event_id}/balance-payments", json=payment, headers=headers)
        return cast(t.BalancePayment, response.json())

    def _get(self, _: type[Row], path: str, query: Query | None = None) -> Row:
        return cast(Row, self._send("GET", path, query=query).json())

    def _rows(self, row: type[Row], path: str, query: Query | None = None) -> Iterator[Row]:
        cursor: str | None = None
        while True:
            page: dict[str, Any] = self._get(dict, path, {"per_page": _PER_PAGE, **(query or {}), "cursor": cursor})
            next_cursor = page["pagination"]["next_cursor"]
            if next_cursor is not None:
                _check_other(next_cursor, cursor)
            yield from cast("list[Row]", page["data"])
            if next_cursor is None:
                return
            cursor = next_cursor

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        json: object = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """
        Sends a request until it succeeds, or a retry is unsafe or useless.

        :raises ValueError: if an id would change the path: ``1/../../key``.
        """
        if not re.fullmatch("(/[a-z0-9-]+)+", path):
            raise ValueError("An id must be an integer.")
        request = self._http.build_request(
            method,
            self._base_url + path,
            params=_params(query or {}),
            json=json,
            headers={**self._headers, **(headers or {})},
            timeout=self._timeout,
        )
        number = 0
        while True:
            number += 1
            started = time.monotonic()
            outcome = self._try(request)
            duration = time.monotonic() - started
            error = outcome if isinstance(outcome, Exception) else _unreadable(outcome)
            after = _retry_after(request, outcome, error) if number <= self._max_retries else None
            if after is not None and after > self._longest_retry_after:
                after = None
            # Jitter, so that clients that were rejected together do not retry together.
            retry_in = None if after is None else after + random.random() * _FIRST_PAUSE * 2**number
            if self._on_attempt:
                response = None if isinstance(outcome, Exception) else outcome
                self._on_attempt(
                    Attempt(
                        method=request.method,
                        url=str(request.url),
                        number=number,
                        duration=duration,
                        status=None if response is None else response.status_code,
                        request_id=None if response is None else response.headers.get("X-Request-Id"),
                        error=error,
                        retry_in=retry_in,
                    )
                )
            if retry_in is None:
                break
            self._sleep(retry_in)
        if isinstance(outcome, Exception):
            raise outcome
        if error is not None or not outcome.is_success:
            raise error or error_of(outcome)
        return outcome

    def _try(self, request: httpx.Request) -> httpx.Response | httpx.RequestError:
        """The whole response. It follows no redirect, which would send the key to another address."""
        try:
            response = self._http.send(request, stream=True, follow_redirects=False)
            response.stream = _TimedStream(cast(httpx.SyncByteStream, response.stream), self._timeout)
            with closing(response):
                response.read()
            return response
        except httpx.RequestError as error:
            return error


class _TimedStream(httpx.SyncByteStream):
    """A body with a timeout as a whole; httpx applies its timeout to each part."""

    def __init__(self, parts: httpx.SyncByteStream, timeout: float) -> None:
        self._parts = parts
        self._end = time.monotonic() + timeout

    def __iter__(self) -> Iterator[bytes]:
        for part in self._parts:
            if time.monotonic() > self._end:
                raise httpx.ReadTimeout("The response did not end in time.")
            yield part

    def close(self) -> None:
        self._parts.close()


def _check_other(next_cursor: str, cursor: object) -> None:
    """A faulty cache would otherwise make the client fetch a page endlessly."""
    if next_cursor == cursor:
        raise RuntimeError("The page's next_cursor equals the cursor of the request.")


def _unreadable(response: httpx.Response) -> TicketingError | None:
    """The error of a success without the API's JSON."""
    return TicketingError(response) if response.is_success and json_object_in(response) is None else None


def _params(query: Query) -> dict[str, str]:
    """Joins lists with commas. Omits None and empty lists."""
    return {name: _text(value) for name, value in query.items() if value is not None and value != () and value != []}


def _text(value: Time | int | Sequence[str]) -> str:
    if isinstance(value, datetime):
        # The service would read it as UTC, but in Python it is local time.
        if value.utcoffset() is None:
            raise ValueError("A datetime needs a time zone: datetime.now(timezone.utc).")
        return value.astimezone(timezone.utc).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, (str, int)) else ",".join(value)


def _retry_after(
    request: httpx.Request, outcome: httpx.Response | httpx.RequestError, error: Exception | None
) -> float | None:
    """The minimum delay before a retry, in seconds; None if a retry is unsafe or useless."""
    is_repeatable = request.method == "GET" or "Idempotency-Key" in request.headers
    if isinstance(outcome, Exception) or error is not None:
        return 0.0 if is_repeatable else None
    if outcome.status_code != 429 and not (outcome.status_code in _TEMPORARY and is_repeatable):
        return None
    return _delay_of(outcome.headers.get("Retry-After", ""))


def _delay_of(retry_after: str) -> float:
    """The delay in a ``Retry-After`` header: seconds, perhaps with decimals, or a date of RFC 9110; 0 for anything else."""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", retry_after):
        return float(retry_after)
    try:
        at = parsedate_to_datetime(retry_after)
        return max(0.0, at.timestamp() - time.time()) if format_datetime(at, usegmt=True) == retry_after else 0.0
    except (TypeError, ValueError, IndexError, OverflowError):
        return 0.0
