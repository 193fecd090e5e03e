"""Calls the installed client for pythonClient.ts: `program.py PART`, with its input as JSON on stdin."""

import json
import pickle
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime
from http.client import HTTPMessage
from pathlib import Path
from typing import Any

import httpx

from ticketing_client import Attempt, Client, CursorExpired, TicketingError, WebhookVerificationError, verify_webhook


def outcome_of(client: Client, call: str) -> dict[str, Any]:
    calls: dict[str, Callable[[], object]] = {
        "read": lambda: client.event(1),
        "record": lambda: client.record_balance_payment(1, {"type": "payment", "amount": 1250}),
        "update": lambda: client.update_order_note(1, None),
    }
    try:
        calls[call]()
    except TicketingError as error:
        return {"status": error.status, "code": error.code, "isExpired": isinstance(error, CursorExpired)}
    except httpx.RequestError:
        return {"lost": True}
    return {"ok": True}


def seen_in(attempt: Attempt) -> object:
    if attempt.status is None:
        return "lost"
    return "unreadable" if isinstance(attempt.error, TicketingError) else attempt.status


def faults(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    met = []
    # A client of one's own may follow redirects, but its owner does not expect that of this client.
    with httpx.Client(follow_redirects=True) as http_client:
        for fault in given:
            attempts: list[Attempt] = []
            client = Client(
                fault["url"],
                "tsk_test",
                timeout=fault.get("timeoutMs", 30_000) / 1_000,
                on_attempt=attempts.append,
                http_client=http_client,
                sleep=lambda _: None,
            )
            outcome = outcome_of(client, fault["call"])
            retries_in = [attempt.retry_in for attempt in attempts if attempt.retry_in is not None]
            met.append({"outcome": outcome, "seen": [seen_in(attempt) for attempt in attempts], "retriesIn": retries_in})
    return met


def with_pages_of(rows: int, given: dict[str, Any], on_attempt: Callable[[Attempt], None] | None = None) -> Client:
    def shorten(request: httpx.Request) -> None:
        if "per_page" in request.url.params:
            request.url = request.url.copy_set_param("per_page", rows)

    http_client = httpx.Client(event_hooks={"request": [shorten]})
    return Client(given["baseUrl"], given["apiKey"], user_agent="test/1", on_attempt=on_attempt, http_client=http_client)


def reads(given: dict[str, Any]) -> dict[str, Any]:
    """Calls the method of each operation, which its id names: `listEventDates` is `event_dates`."""
    email = given["email"]
    arguments: dict[str, dict[str, Any]] = {
        "listEvents": {"start": "2020-01-01"},
        "listPayments": {"completed_to": "2040-01-01", "expand": ["order"]},
        "getPayment": {"expand": ["event"]},
        "listDates": {"start": date(2020, 1, 1), "end": "2040-01-01T00:00+01:00"},
        "listOrders": {"email": email.upper(), "start": date(2020, 1, 1), "end": "2040-01-01"},
        "listTickets": {"barcode": given["barcode"], "expand": ["order", "date"]},
        "getTicket": {"expand": ["attendee"]},
        "listAttendees": {"email": email},
    }
    attempts: list[Attempt] = []
    results: dict[str, Any] = {}
    with with_pages_of(2, given, attempts.append) as client:
        for operation, ids in given["reading"]:
            words = re.findall("[A-Z][a-z]*", operation)
            method = getattr(client, "_".join(words).lower())
            result = method(*ids, **arguments.get(operation, {}))
            results[operation] = list(result) if isinstance(result, Iterator) else result
        results["listChanges"] = [row for page in client.changes(types=["order", "ticket"]) for row in page["data"]]
    results["attempts"] = [(attempt.status, attempt.number, attempt.url) for attempt in attempts[:1]]
    assert given["apiKey"] not in repr(attempts)
    return results


def changes(given: dict[str, Any]) -> list[object]:
    """The pages from each start, as types and ids."""

    def pages_from(start: dict[str, Any]) -> object:
        since = start.pop("datetime", None)
        if since is not None:
            start["changed_since"] = datetime.fromisoformat(since)
        try:
            pages = list(client.changes(**start))
        except ValueError as error:
            return str(error)
        return [[[change["type"], change["id"]] for change in page["data"]] for page in pages]

    with with_pages_of(10, given) as client:
        return [pages_from(start) for start in given["starts"]]


def times(given: dict[str, Any]) -> list[object]:
    """For each text, the number of dates from then on, or the error's code."""

    def dates_from(text: str) -> object:
        try:
            return len(list(client.dates(start=text)))
        except TicketingError as error:
            return error.code

    with Client(given["baseUrl"], given["apiKey"]) as client:
        return [dates_from(text) for text in given["texts"]]


def error_of(call: Callable[[], object]) -> str | None:
    try:
        call()
        return None
    except TicketingError as error:
        return error.code
    except ValueError as error:
        return str(error)


def writes(given: dict[str, Any]) -> dict[str, Any]:
    with Client(given["baseUrl"], given["apiKey"]) as client:
        payment = client.record_balance_payment(given["event"], {"type": "payment", "amount": 5}, idempotency_key="k1")
        again = client.record_balance_payment(given["event"], {"type": "payment", "amount": 5}, idempotency_key="k1")
        _, etag = client.order_with_etag(given["order"])
        note = client.update_order_note(given["order"], "Aisle seat", etag=etag)["admin_note"]
        stale = error_of(lambda: client.update_order_note(given["order"], None, etag=etag))
        no_key = error_of(
            lambda: client.record_balance_payment(given["event"], {"type": "payment", "amount": 5}, idempotency_key="")
        )
        elsewhere = [error_of(lambda: client.event(id)) for id in given["texts"]]
    return {
        "same": payment == again,
        "amount": payment["amount"],
        "note": note,
        "stale": stale,
        "noKey": no_key,
        "elsewhere": elsewhere,
    }


def sent(problem: dict[str, Any]) -> dict[str, Any]:
    """Sends a payment through two clients with one HTTP client, which get a problem."""
    requests: list[httpx.Request] = []
    attempts: list[Attempt] = []
    errors: list[TicketingError] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(403, json=problem, headers={"X-Request-Id": "request-1"})

    http_client = httpx.Client(transport=httpx.MockTransport(respond))
    named: dict[str, Any] = {"user_agent": "nightly-sync/2.1", "on_attempt": attempts.append}
    for base_url, options in [("https://api.example.com/", named), ("https://api.example.com", {})]:
        with Client(base_url, "tsk_test", http_client=http_client, **options) as client:
            try:
                client.record_balance_payment(1, {"type": "payment", "amount": 1250})
            except TicketingError as error:
                errors.append(error)
    [first, _] = errors
    return {
        "error": [first.status, first.code, first.detail, first.errors, first.required_scope, first.request_id],
        "message": str(first),
        "urls": [str(request.url) for request in requests],
        "agents": [request.headers["User-Agent"] for request in requests],
        "keys": len({request.headers["Idempotency-Key"] for request in requests}),
        "timeouts": requests[0].extensions["timeout"],
        "attempts": [(attempt.request_id, 0 <= attempt.duration < 30) for attempt in attempts],
    }


def sync(given: dict[str, Any]) -> dict[str, Any]:
    """Runs the README's two mirrors, which continue from those of the last run."""
    namespace: dict[str, Any] = {"json": json}
    for code in given["examples"]:
        exec(code, namespace)
    stored = Path("mirror.pickle")
    copy, cursor = pickle.loads(stored.read_bytes()) if stored.exists() else ({}, None)
    db = sqlite3.connect("mirror.db")
    with Client(given["baseUrl"], given["apiKey"]) as client:
        cursor = namespace["sync"](client, copy, cursor)
        namespace["sync_sqlite"](client, db)
    stored.write_bytes(pickle.dumps((copy, cursor)))
    rows = db.execute("SELECT row FROM mirror WHERE type <> 'cursor'").fetchall()
    return {"dictionary": list(copy.values()), "sqlite": [json.loads(row) for (row,) in rows]}


def webhooks(given: list[dict[str, Any]]) -> list[object]:
    results: list[object] = []
    for message in given:
        try:
            verified = verify_webhook(message["secret"], message["headers"], message["body"].encode())
            # The type decides which data there are.
            if verified["type"] == "changes":
                results.append([(change["type"], change.get("event_id")) for change in verified["data"]["changes"]])
            else:
                results.append(verified["data"]["organisation_id"])
        except (WebhookVerificationError, ValueError) as error:
            results.append(type(error).__name__)
    return results


class BytesHeaders:
    """Like those of a framework that keeps headers as they arrived."""

    def __init__(self, headers: dict[str, str]) -> None:
        self._pairs = [(name.encode(), value.encode()) for name, value in headers.items()]

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        yield from self._pairs


def webhook_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """The outcome for each kind of headers, body and secret."""
    secret: str = given["secret"]
    headers: dict[str, str] = given["headers"]
    body: bytes = given["body"].encode()
    # As http.server has them.
    message = HTTPMessage()
    for name, value in headers.items():
        message[name] = value
    lists = {name: [value] for name, value in headers.items()}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    accepted = [
        verify_webhook(secret, headers, body),
        verify_webhook(secret, {**headers, "cookie": None}, memoryview(body)),
        verify_webhook(secret, {name.upper(): value for name, value in headers.items()}, bytearray(body)),
        verify_webhook(secret, message, body.decode()),
        verify_webhook(secret, BytesHeaders(headers), body),
        verify_webhook(secret, lists, body),
        verify_webhook(secret, pairs, body),
        verify_webhook(secret, httpx.Headers(headers), body),
        verify_webhook(f"\n{secret}\r\n", headers, body),
    ]

    def refusal(secret: Any = secret, headers: Any = headers, body: Any = body) -> str:
        try:
            verify_webhook(secret, headers, body)
            return "accepted"
        except (TypeError, ValueError, WebhookVerificationError) as error:
            return f"{type(error).__name__}: {error}"

    number = {**headers, "Webhook-Timestamp": 1}
    return {
        "accepted": accepted,
        "headers": [refusal(headers=one) for one in [None, "", b"", "text", 5, [1], ["webhook-id"], {5: "a"}, number]],
        "body": [refusal(body=one) for one in [None, 5, [], json.loads(body), BytesHeaders(headers)]],
        "no_secret": [refusal(secret=one) for one in [None, 5, secret.encode()]],
        "malformed": [refusal(secret=one) for one in given["malformed"]],
        "quoted": [refusal(secret=one) for one in [f'"{secret}"', f"'{secret}'"]],
    }


def cursors(_: object) -> list[object]:
    """For a list and for changes, the outcome of pages of which the third leads back to itself, and the number of requests."""

    def outcome(read: Callable[[Client], Iterator[object]]) -> object:
        cursors = ["c1", "c2", "c2"]

        def respond(request: httpx.Request) -> httpx.Response:
            cursor = cursors.pop(0)
            pagination = {"has_more": True, "next_cursor": cursor, "resume_cursor": cursor}
            return httpx.Response(200, json={"data": [{"id": 1}], "pagination": pagination})

        http_client = httpx.Client(transport=httpx.MockTransport(respond))
        try:
            return len(list(read(Client("https://api.example.com", "tsk_test", http_client=http_client))))
        except RuntimeError as error:
            return [str(error), len(cursors)]

    return [outcome(lambda client: client.events()), outcome(lambda client: client.changes())]


def arguments(given: list[dict[str, Any]]) -> list[str]:
    results = []
    for one in given:
        try:
            Client(**{"base_url": "https://api.example.com", "api_key": "tsk_secret", **one})
            results.append("accepted")
        except ValueError as error:
            results.append(str(error))
    return results


if __name__ == "__main__":
    result: object = globals()[sys.argv[1]](json.load(sys.stdin))
    print(json.dumps(result))
