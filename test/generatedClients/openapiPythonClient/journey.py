"""Reads and writes through the client that openapi-python-client generates."""

import os
import uuid
from datetime import datetime

from ticketing import AuthenticatedClient
from ticketing.api.attendees import get_attendee
from ticketing.api.changes import list_changes
from ticketing.api.dates import get_date, get_date_summary, list_dates
from ticketing.api.discounts import get_discount
from ticketing.api.events import (
    get_event, get_event_summary, list_event_ticket_categories, list_events, record_balance_payment,
)
from ticketing.api.key import get_key
from ticketing.api.key_administration import create_api_key, get_api_key_usage, revoke_api_key
from ticketing.api.orders import get_order, list_orders, update_order
from ticketing.api.payments import get_payment
from ticketing.api.tickets import get_ticket
from ticketing.models import (
    EventChange, GetOrderExpandItem, GetTicketExpandItem, ListChangesTypesItem, ListOrdersExpandItem, ApiKeyInput, BalancePaymentInput, BalancePaymentInputType, OrderUpdate, Problem, ProblemCode,
    Scope, TicketChange,
)
from ticketing.types import UNSET


def known(name):
    return int(os.environ[name])


event_id, order_id, ticket_id = known("EVENT_ID"), known("ORDER_ID"), known("TICKET_ID")


def client_with(key):
    return AuthenticatedClient(base_url=os.environ["BASE_URL"], token=key, raise_on_unexpected_status=True)


def all_events(client):
    cursor = None
    while True:
        page = result(list_events.sync(client=client, per_page=100, cursor=cursor or UNSET))
        yield from page.data
        cursor = page.pagination.next_cursor
        if not page.pagination.has_more:
            return


def result(parsed):
    if isinstance(parsed, Problem):
        raise RuntimeError(f"{parsed.status} {parsed.code}: {parsed.detail}")
    return parsed


def reads_a_list(client):
    events = list(all_events(client))
    assert len(events) == known("EVENT_COUNT")
    assert {event.name for event in events} == {f"Event {event.id}" for event in events}
    assert all(event.currency_symbol == "£" and event.description is None for event in events)


def reads_each_resource(client):
    assert result(get_event.sync(event_id, client=client)).name == f"Event {event_id}"
    event_date = result(get_date.sync(known("DATE_ID"), client=client))
    assert (event_date.event_id, event_date.date, event_date.end_date) == (event_id, "2026-03-01T19:30:00Z", None)
    [category] = result(list_event_ticket_categories.sync(event_id, client=client)).data
    assert (category.id, category.name, category.price, category.limit) == (known("TICKET_CATEGORY_ID"), "Stalls", 2500, None)
    order = result(get_order.sync(order_id, client=client))
    assert (order.reference, order.total, order.status, order.phone) == (f"ORDER{order_id}", 5150, "paid", None)
    assert [ticket.id for ticket in order.tickets] == [ticket_id]
    ticket = result(get_ticket.sync(ticket_id, client=client, expand=[GetTicketExpandItem.ORDER]))
    assert ticket.order.id == order_id and ticket.event is UNSET
    assert (ticket.price, ticket.attendee_id, ticket.seat) == (2500, known("ATTENDEE_ID"), None)
    payment = result(get_payment.sync(known("PAYMENT_ID"), client=client))
    assert (payment.amount, payment.type_, payment.reason) == (5150, "payment", None)
    discount = result(get_discount.sync(known("DISCOUNT_ID"), client=client))
    assert (discount.code, discount.amount, discount.percent) == ("EARLY", 200, None)
    attendee = result(get_attendee.sync(known("ATTENDEE_ID"), client=client))
    assert (attendee.first_name, attendee.phone, attendee.answers[0].answer) == ("Ada", None, "No")
    key = result(get_key.sync(client=client))
    assert (key.name, key.organisation_id) == ("All scopes", known("ORGANISATION_ID"))


def reads_an_order_with_more_than_it_contains(client):
    expand = [GetOrderExpandItem.PAYMENTS, GetOrderExpandItem.ATTENDEES]
    order = result(get_order.sync(known("LARGE_ORDER_ID"), client=client, expand=expand))
    assert (order.has_more_tickets, order.has_more_payments, order.has_more_attendees) == (True, True, True)
    assert (len(order.payments), len(order.attendees)) == (100, 100)
    lists = [ListOrdersExpandItem.TICKETS, ListOrdersExpandItem.PAYMENTS, ListOrdersExpandItem.ATTENDEES]
    [listed] = result(list_orders.sync(client=client, reference="LARGE", expand=lists)).data
    assert (listed.has_more_tickets, listed.has_more_payments, listed.has_more_attendees) == (True, True, True)
    assert result(get_order.sync(order_id, client=client)).has_more_tickets is UNSET


def reads_summaries(client):
    of_event = result(get_event_summary.sync(event_id, client=client))
    of_date = result(get_date_summary.sync(known("DATE_ID"), client=client))
    assert (of_event.date_id, of_date.date_id) == (None, known("DATE_ID"))
    for summary in of_event, of_date:
        assert (summary.event_id, summary.tickets_sold, summary.gross) == (event_id, 1, 2700)
        assert summary.ticket_categories[0].ticket_category_id == known("TICKET_CATEGORY_ID")
        assert isinstance(summary.date_generated, datetime)


def reads_dates_of_a_month(client):
    march, april = "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"
    assert [row.id for row in result(list_dates.sync(client=client, from_=march, to=april)).data] == [known("DATE_ID")]


def reads_changes(client):
    [first] = result(list_changes.sync(client=client, per_page=1)).data
    assert isinstance(first, EventChange) and first.data.name == "Event 1"
    types = [kind for kind in ListChangesTypesItem if kind not in ("event", "order", "balance_payment")]
    changes = result(list_changes.sync(client=client, types=types, per_page=8)).data
    assert {change.type_: type(change).__name__ for change in changes} == {
        kind: kind.title().replace("_", "") + "Change" for kind in types
    }
    assert {change.data.price for change in changes if change.type_ == "ticket_category"} == {2500}
    tickets = [change for change in changes if isinstance(change, TicketChange)]
    assert [(change.id, change.change, change.data and change.data.price) for change in tickets] == [
        (ticket_id, "upserted", 2500),
        (known("DELETED_TICKET_ID"), "deleted", None),
    ]
    assert all(change.changed_at.tzinfo for change in changes)


def reads_errors(client, read_only):
    unknown = get_order.sync(2**53 - 1, client=client)
    assert isinstance(unknown, Problem) and (unknown.code, unknown.status) == (ProblemCode.NOT_FOUND, 404)
    refused = update_order.sync(order_id, client=read_only, body=OrderUpdate(admin_note="Wheelchair place"))
    assert (refused.code, refused.required_scope) == (ProblemCode.FORBIDDEN, Scope.WRITEORDERS)


def records_a_payment_once(client):
    key, payment = str(uuid.uuid4()), BalancePaymentInput(type_=BalancePaymentInputType.PAYMENT, amount=1250)
    first, second = (
        result(record_balance_payment.sync(event_id, client=client, body=payment, idempotency_key=key)) for _ in range(2)
    )
    assert (first.amount, first.note, first.id) == (1250, None, second.id)


def creates_and_revokes_a_key(admin):
    key, wanted = str(uuid.uuid4()), ApiKeyInput(name="Journey", scopes=[Scope.READ])
    created = result(create_api_key.sync(client=admin, body=wanted, idempotency_key=key))
    repeated = create_api_key.sync(client=admin, body=wanted, idempotency_key=key)
    assert (repeated.code, repeated.key_id) == (ProblemCode.CONFLICT, created.id)
    assert (created.status, created.last_used) == ("active", None)
    client = client_with(created.key)
    assert result(get_key.sync(client=client)).name == "Journey"
    assert len(result(get_api_key_usage.sync(created.id, client=admin)).days) == 30
    assert result(revoke_api_key.sync(created.id, client=admin)).status == "revoked"
    assert get_key.sync(client=client).code == ProblemCode.UNAUTHORIZED


client = client_with(os.environ["API_KEY"])
reads_a_list(client)
reads_each_resource(client)
reads_an_order_with_more_than_it_contains(client)
reads_summaries(client)
reads_dates_of_a_month(client)
reads_changes(client)
reads_errors(client, client_with(os.environ["READ_ONLY_KEY"]))
records_a_payment_once(client)
creates_and_revokes_a_key(client_with(os.environ["ID_TOKEN"]))
