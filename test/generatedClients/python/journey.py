"""Reads and writes through the client that openapi-generator generates for Python."""

import os
import uuid
from datetime import datetime, timezone

from ticketing import ApiClient, Configuration
from ticketing.api import (
    AttendeesApi, ChangesApi, DatesApi, DiscountsApi, EventsApi, KeyAdministrationApi, KeyApi, OrdersApi, PaymentsApi, TicketsApi,
)
from ticketing.exceptions import ApiException
from ticketing.models import EventChange, ApiKeyInput, BalancePaymentInput, OrderUpdate, Problem, Scope, TicketChange


def known(name):
    return int(os.environ[name])


event_id, order_id, ticket_id = known("EVENT_ID"), known("ORDER_ID"), known("TICKET_ID")


def client_with(key):
    return ApiClient(Configuration(host=os.environ["BASE_URL"], access_token=key))


def all_events(client):
    cursor = None
    while True:
        page = EventsApi(client).list_events(per_page=100, cursor=cursor)
        yield from page.data
        cursor = page.pagination.next_cursor
        if not page.pagination.has_more:
            return


def problem_of(call):
    try:
        call()
    except ApiException as error:
        assert isinstance(error.data, Problem), error
        return error.data
    raise AssertionError("The call should fail.")


def reads_a_list(client):
    events = list(all_events(client))
    assert len(events) == known("EVENT_COUNT")
    assert {event.name for event in events} == {f"Event {event.id}" for event in events}
    assert all(event.currency_symbol == "£" and event.description is None for event in events)


def reads_each_resource(client):
    assert EventsApi(client).get_event(event_id).name == f"Event {event_id}"
    event_date = DatesApi(client).get_date(known("DATE_ID"))
    assert (event_date.event_id, event_date.var_date, event_date.end_date) == (event_id, "2026-03-01T19:30:00Z", None)
    [category] = EventsApi(client).list_event_ticket_categories(event_id).data
    assert (category.id, category.name, category.price, category.limit) == (known("TICKET_CATEGORY_ID"), "Stalls", 2500, None)
    order = OrdersApi(client).get_order(order_id)
    assert (order.reference, order.total, order.status, order.phone) == (f"ORDER{order_id}", 5150, "paid", None)
    assert [ticket.id for ticket in order.tickets] == [ticket_id]
    ticket = TicketsApi(client).get_ticket(ticket_id, expand=["order", "attendee"])
    assert (ticket.order.id, ticket.attendee.id, ticket.event) == (order_id, known("ATTENDEE_ID"), None)
    assert (ticket.price, ticket.attendee_id, ticket.seat) == (2500, known("ATTENDEE_ID"), None)
    payment = PaymentsApi(client).get_payment(known("PAYMENT_ID"))
    assert (payment.amount, payment.type, payment.reason) == (5150, "payment", None)
    discount = DiscountsApi(client).get_discount(known("DISCOUNT_ID"))
    assert (discount.code, discount.amount, discount.percent) == ("EARLY", 200, None)
    attendee = AttendeesApi(client).get_attendee(known("ATTENDEE_ID"))
    assert (attendee.first_name, attendee.phone, attendee.answers[0].answer) == ("Ada", None, "No")
    key = KeyApi(client).get_key()
    assert (key.name, key.organisation_id) == ("All scopes", known("ORGANISATION_ID"))


def reads_summaries(client):
    of_event = EventsApi(client).get_event_summary(event_id)
    of_date = DatesApi(client).get_date_summary(known("DATE_ID"))
    assert (of_event.date_id, of_date.date_id) == (None, known("DATE_ID"))
    for summary in of_event, of_date:
        assert (summary.event_id, summary.tickets_sold, summary.gross) == (event_id, 1, 2700)
        assert summary.ticket_categories[0].ticket_category_id == known("TICKET_CATEGORY_ID")
        assert isinstance(summary.date_generated, datetime)


def reads_dates_of_a_month(client):
    march, april = datetime(2026, 3, 1, tzinfo=timezone.utc), datetime(2026, 4, 1, tzinfo=timezone.utc)
    assert [row.id for row in DatesApi(client).list_dates(var_from=march, to=april).data] == [known("DATE_ID")]


def reads_changes(client):
    first = ChangesApi(client).list_changes(per_page=1).data[0].actual_instance
    assert isinstance(first, EventChange) and first.data.name == "Event 1"
    types = ["event_date", "ticket_category", "ticket", "payment", "discount", "attendee"]
    changes = [row.actual_instance for row in ChangesApi(client).list_changes(types=types).data]
    assert {change.type: type(change).__name__ for change in changes} == {
        kind: kind.title().replace("_", "") + "Change" for kind in types
    }
    assert {change.data.price for change in changes if change.type == "ticket_category"} == {2500}
    tickets = [change for change in changes if isinstance(change, TicketChange)]
    assert [(change.id, change.change, change.data and change.data.price) for change in tickets] == [
        (ticket_id, "upserted", 2500),
        (known("DELETED_TICKET_ID"), "deleted", None),
    ]
    assert all(change.changed_at.tzinfo for change in changes)


def reads_errors(client, read_only):
    unknown = problem_of(lambda: OrdersApi(client).get_order(2**53 - 1))
    assert (unknown.code, unknown.status) == ("not_found", 404)
    update = OrderUpdate(admin_note="Wheelchair place")
    refused = problem_of(lambda: OrdersApi(read_only).update_order(order_id, update))
    assert (refused.code, refused.required_scope) == ("forbidden", Scope.WRITE_COLON_ORDERS)


def records_a_payment_once(client):
    key, payment = str(uuid.uuid4()), BalancePaymentInput(type="payment", amount=1250)
    first, second = (EventsApi(client).record_balance_payment(event_id, payment, idempotency_key=key) for _ in range(2))
    assert (first.amount, first.note, first.id) == (1250, None, second.id)


def creates_and_revokes_a_key(admin):
    keys, key, wanted = KeyAdministrationApi(admin), str(uuid.uuid4()), ApiKeyInput(name="Journey", scopes=[Scope.READ])
    created = keys.create_api_key(wanted, idempotency_key=key)
    repeated = problem_of(lambda: keys.create_api_key(wanted, idempotency_key=key))
    assert (repeated.code, repeated.key_id) == ("conflict", created.id)
    assert (created.status, created.last_used) == ("active", None)
    client = client_with(created.key)
    assert KeyApi(client).get_key().name == "Journey"
    assert len(keys.get_api_key_usage(created.id).days) == 30
    assert keys.revoke_api_key(created.id).status == "revoked"
    assert problem_of(lambda: KeyApi(client).get_key()).code == "unauthorized"


client = client_with(os.environ["API_KEY"])
reads_a_list(client)
reads_each_resource(client)
reads_summaries(client)
reads_dates_of_a_month(client)
reads_changes(client)
reads_errors(client, client_with(os.environ["READ_ONLY_KEY"]))
records_a_payment_once(client)
creates_and_revokes_a_key(client_with(os.environ["ID_TOKEN"]))
