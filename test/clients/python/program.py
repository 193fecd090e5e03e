"""Calls the installed client for pythonClient.ts: `program.py faults|reads|writes`, with its input as JSON on stdin."""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
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
    except httpx.TransportError:
        return {"lost": True}
    return {"ok": True}


def faults(rows: list[dict[str, str]]) -> list[dict[str, Any]]:
    outcomes = []
    for row in rows:
        waits: list[float] = []
        with Client(row["url"], "tsk_test", sleep=waits.append) as client:
            outcomes.append({**outcome_of(client, row["call"]), "waits": waits})
    return outcomes


def reads(given: dict[str, Any]) -> dict[str, Any]:
    event, date, order, ticket, email = (given[name] for name in ("event", "date", "order", "ticket", "email"))
    attempts: list[Attempt] = []
    with Client(given["baseUrl"], given["apiKey"], user_agent="test/1", on_attempt=attempts.append) as client:
        results: dict[str, object] = {
            "getKey": client.key(),
            "listEvents": client.events(),
            "getEvent": client.event(event),
            "listEventDates": client.event_dates(event),
            "listEventTicketCategories": client.event_ticket_categories(event),
            "listEventDiscounts": client.event_discounts(event),
            "listEventPayments": client.event_payments(event),
            "listEventBalancePayments": client.event_balance_payments(event),
            "getEventSummary": client.event_summary(event),
            "listDates": client.dates(start="2020-01-01", end="2040-01-01T00:00:00+01:00"),
            "getDate": client.date(date),
            "listDateOrders": client.date_orders(date),
            "listDateTickets": client.date_tickets(date),
            "listDateAttendees": client.date_attendees(date),
            "getDateSummary": client.date_summary(date),
            "listOrders": client.orders(email=email.upper()),
            "getOrder": client.order(order),
            "listOrderTickets": client.order_tickets(order),
            "listOrderPayments": client.order_payments(order),
            "listOrderAttendees": client.order_attendees(order),
            "listTickets": client.tickets(barcode=given["barcode"], expand=["order", "date"]),
            "getTicket": client.ticket(ticket, expand=["attendee"]),
            "getPayment": client.payment(given["payment"]),
            "getDiscount": client.discount(given["discount"]),
            "listAttendees": client.attendees(email=email),
            "getAttendee": client.attendee(given["attendee"]),
            "listChanges": (change for page in client.changes(types=["order", "ticket"]) for change in page["data"]),
        }
        whole = {name: list(result) if isinstance(result, Iterator) else result for name, result in results.items()}
        whole["attempts"] = [(attempt.status, attempt.number, attempt.url) for attempt in attempts[:1]]
        assert given["apiKey"] not in repr(attempts)
        return whole


def writes(given: dict[str, Any]) -> dict[str, Any]:
    with Client(given["baseUrl"], given["apiKey"]) as client:
        payment = client.record_balance_payment(given["event"], {"type": "payment", "amount": 5}, idempotency_key="k1")
        again = client.record_balance_payment(given["event"], {"type": "payment", "amount": 5}, idempotency_key="k1")
        _, etag = client.order_with_etag(given["order"])
        note = client.update_order_note(given["order"], "Aisle seat", etag=etag)["admin_note"]
        try:
            client.update_order_note(given["order"], None, etag=etag)
            stale = None
        except TicketingError as error:
            stale = error.code
    return {"same": payment == again, "amount": payment["amount"], "note": note, "stale": stale}


def sync(given: dict[str, Any]) -> dict[str, Any]:
    """Runs the README's two mirrors, twice each."""
    namespace: dict[str, Any] = {"json": json}
    for code in given["examples"]:
        exec(code, namespace)
    db = sqlite3.connect(":memory:")
    copy: dict[Any, Any] = {}
    with Client(given["baseUrl"], given["apiKey"]) as client:
        cursor = namespace["sync"](client, copy)
        cursor = namespace["sync"](client, copy, cursor)
        namespace["sync_sqlite"](client, db)
        namespace["sync_sqlite"](client, db)
    rows = db.execute("SELECT type, id, data FROM row WHERE type <> 'cursor'").fetchall()
    return {
        "dictionary": sorted([kind, key, data] for (kind, key), data in copy.items()),
        "sqlite": sorted([kind, key, json.loads(data)] for kind, key, data in rows),
    }


def webhooks(given: list[dict[str, Any]]) -> list[str]:
    results = []
    for message in given:
        try:
            results.append(verify_webhook(message["secret"], message["headers"], message["body"].encode())["type"])
        except (WebhookVerificationError, ValueError) as error:
            results.append(type(error).__name__)
    return results


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
