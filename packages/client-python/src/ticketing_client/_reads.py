"""A method for each read operation. Made by `npm run client:generate` from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Literal, TypeVar

from . import types as t

Time = str | date | datetime
"""A text in ISO 8601, a date, or a datetime with a time zone."""

Row = TypeVar("Row")
Query = Mapping[str, "Time | int | Sequence[str] | None"]


class Reads:
    """Lists are iterators that fetch each page when needed."""

    def _get(self, _: type[Row], path: str, query: Query | None = None) -> Row:
        raise NotImplementedError

    def _rows(self, row: type[Row], path: str, query: Query | None = None) -> Iterator[Row]:
        raise NotImplementedError

    def key(self) -> t.CallingKey:
        """Get the calling key."""
        return self._get(t.CallingKey, "/v1/key")

    def events(self, *, start: Time | None = None, end: Time | None = None) -> Iterator[t.Event]:
        """
        List events, most recent first.

        :param start: Only events that were created at this time or later, ISO 8601. Without an offset it counts as UTC. A event without ``date_created`` is in no range.
        :param end: Only events that were created before this time, ISO 8601. Without an offset it counts as UTC. A event without ``date_created`` is in no range.
        :raises ValueError: for a datetime without a time zone.
        """
        return self._rows(t.Event, "/v1/events", {"from": start, "to": end})

    def event(self, id: int) -> t.Event:
        """Get one event."""
        return self._get(t.Event, f"/v1/events/{id}")

    def event_balance_payments(self, id: int) -> Iterator[t.BalancePayment]:
        """List an event's balance payments, newest first."""
        return self._rows(t.BalancePayment, f"/v1/events/{id}/balance-payments")

    def event_dates(self, id: int, *, expand: Sequence[Literal["event"]] = ()) -> Iterator[t.ExpandedEventDate]:
        """
        List an event's dates, soonest first.

        :param expand: What to include: event. Included resources may lack changes of the last second.
        """
        return self._rows(t.ExpandedEventDate, f"/v1/events/{id}/dates", {"expand": expand})

    def event_discounts(self, id: int) -> Iterator[t.Discount]:
        """List an event's discounts."""
        return self._rows(t.Discount, f"/v1/events/{id}/discounts")

    def event_payments(self, id: int, *, expand: Sequence[Literal["order", "event"]] = ()) -> Iterator[t.ExpandedPayment]:
        """
        List an event's payments, newest first.

        :param expand: What to include: order, event. Included resources may lack changes of the last second.
        """
        return self._rows(t.ExpandedPayment, f"/v1/events/{id}/payments", {"expand": expand})

    def event_summary(self, id: int) -> t.Summary:
        """Get the summary of an event."""
        return self._get(t.Summary, f"/v1/events/{id}/summary")

    def event_ticket_categories(self, id: int) -> Iterator[t.TicketCategory]:
        """List an event's ticket categories, in display order."""
        return self._rows(t.TicketCategory, f"/v1/events/{id}/ticket-categories")

    def dates(self, *, start: Time | None = None, end: Time | None = None, expand: Sequence[Literal["event"]] = ()) -> Iterator[t.ExpandedEventDate]:
        """
        List dates of all events, soonest first.

        :param start: Only dates that start at this time or later, ISO 8601. Without an offset it counts as UTC.
        :param end: Only dates that start before this time, ISO 8601. Without an offset it counts as UTC.
        :param expand: What to include: event. Included resources may lack changes of the last second.
        :raises ValueError: for a datetime without a time zone.
        """
        return self._rows(t.ExpandedEventDate, "/v1/dates", {"from": start, "to": end, "expand": expand})

    def date(self, id: int, *, expand: Sequence[Literal["event"]] = ()) -> t.ExpandedEventDate:
        """
        Get one event date.

        :param expand: What to include: event. Included resources may lack changes of the last second.
        """
        return self._get(t.ExpandedEventDate, f"/v1/dates/{id}", {"expand": expand})

    def date_attendees(self, id: int) -> Iterator[t.Attendee]:
        """List a date's attendees."""
        return self._rows(t.Attendee, f"/v1/dates/{id}/attendees")

    def date_orders(self, id: int) -> Iterator[t.Order]:
        """List a date's orders, newest first."""
        return self._rows(t.Order, f"/v1/dates/{id}/orders")

    def date_summary(self, id: int) -> t.Summary:
        """Get the summary of a date."""
        return self._get(t.Summary, f"/v1/dates/{id}/summary")

    def date_tickets(self, id: int, *, expand: Sequence[Literal["order", "event", "date", "ticket_category", "attendee"]] = ()) -> Iterator[t.ExpandedTicket]:
        """
        List a date's tickets.

        :param expand: What to include: order, event, date, ticket_category, attendee. Included resources may lack changes of the last second.
        """
        return self._rows(t.ExpandedTicket, f"/v1/dates/{id}/tickets", {"expand": expand})

    def orders(self, *, start: Time | None = None, end: Time | None = None, reference: str | None = None, email: str | None = None, expand: Sequence[Literal["tickets", "payments", "attendees", "event", "date", "discount"]] = ()) -> Iterator[t.ExpandedOrder]:
        """
        List orders, newest first.

        :param start: Only orders that were placed at this time or later, ISO 8601. Without an offset it counts as UTC.
        :param end: Only orders that were placed before this time, ISO 8601. Without an offset it counts as UTC.
        :param reference: Only orders with this reference, ignoring case.
        :param email: Only orders whose buyer has this e-mail address, ignoring case. Not with ``reference``.
        :param expand: What to include: tickets, payments, attendees, event, date, discount. Included resources may lack changes of the last second. With tickets, payments or attendees, a page may have fewer orders than ``per_page``.
        :raises ValueError: for a datetime without a time zone.
        """
        return self._rows(t.ExpandedOrder, "/v1/orders", {"from": start, "to": end, "reference": reference, "email": email, "expand": expand})

    def order(self, id: int, *, expand: Sequence[Literal["tickets", "payments", "attendees", "event", "date", "discount"]] = ()) -> t.OrderWithTickets:
        """
        Get one order with its tickets.

        :param expand: What to include: tickets, payments, attendees, event, date, discount. Included resources may lack changes of the last second. The tickets are always included.
        """
        return self._get(t.OrderWithTickets, f"/v1/orders/{id}", {"expand": expand})

    def order_attendees(self, id: int) -> Iterator[t.Attendee]:
        """List an order's attendees."""
        return self._rows(t.Attendee, f"/v1/orders/{id}/attendees")

    def order_payments(self, id: int) -> Iterator[t.Payment]:
        """List an order's payments, newest first."""
        return self._rows(t.Payment, f"/v1/orders/{id}/payments")

    def order_tickets(self, id: int) -> Iterator[t.Ticket]:
        """List an order's tickets."""
        return self._rows(t.Ticket, f"/v1/orders/{id}/tickets")

    def tickets(self, *, barcode: str, expand: Sequence[Literal["order", "event", "date", "ticket_category", "attendee"]] = ()) -> Iterator[t.ExpandedTicket]:
        """
        Find tickets by barcode.

        :param barcode: Only tickets with exactly this barcode.
        :param expand: What to include: order, event, date, ticket_category, attendee. Included resources may lack changes of the last second.
        """
        return self._rows(t.ExpandedTicket, "/v1/tickets", {"barcode": barcode, "expand": expand})

    def ticket(self, id: int, *, expand: Sequence[Literal["order", "event", "date", "ticket_category", "attendee"]] = ()) -> t.ExpandedTicket:
        """
        Get one ticket.

        :param expand: What to include: order, event, date, ticket_category, attendee. Included resources may lack changes of the last second.
        """
        return self._get(t.ExpandedTicket, f"/v1/tickets/{id}", {"expand": expand})

    def payments(self, *, completed_from: Time | None = None, completed_to: Time | None = None, expand: Sequence[Literal["order", "event"]] = ()) -> Iterator[t.ExpandedPayment]:
        """
        List payments and refunds, latest first.

        :param completed_from: Only payments that were completed at this time or later, ISO 8601. Without an offset it counts as UTC. A payment without ``date_completed`` is in no range.
        :param completed_to: Only payments that were completed before this time, ISO 8601. Without an offset it counts as UTC. A payment without ``date_completed`` is in no range.
        :param expand: What to include: order, event. Included resources may lack changes of the last second.
        :raises ValueError: for a datetime without a time zone.
        """
        return self._rows(t.ExpandedPayment, "/v1/payments", {"completed_from": completed_from, "completed_to": completed_to, "expand": expand})

    def payment(self, id: int, *, expand: Sequence[Literal["order", "event"]] = ()) -> t.ExpandedPayment:
        """
        Get one payment.

        :param expand: What to include: order, event. Included resources may lack changes of the last second.
        """
        return self._get(t.ExpandedPayment, f"/v1/payments/{id}", {"expand": expand})

    def discount(self, id: int) -> t.Discount:
        """Get one discount."""
        return self._get(t.Discount, f"/v1/discounts/{id}")

    def attendees(self, *, email: str) -> Iterator[t.Attendee]:
        """
        Find attendees by e-mail address.

        :param email: Only attendees with this e-mail address, ignoring case.
        """
        return self._rows(t.Attendee, "/v1/attendees", {"email": email})

    def attendee(self, id: int) -> t.Attendee:
        """Get one attendee."""
        return self._get(t.Attendee, f"/v1/attendees/{id}")
