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

    def event(self, id: int) -> t.Event:
        """Get one event."""
        return self._get(t.Event, f"/v1/events/{id}")

    def event_summary(self, id: int) -> t.Summary:
        """Get the summary of an event."""
        return self._get(t.Summary, f"/v1/events/{id}/summary")

    def date(self, id: int, *, expand: Sequence[Literal["event"]] = ()) -> t.ExpandedEventDate:
        """
        Get one event date.

        :param expand: What to include: event. Included resources may lack changes of the last second.
        """
        return self._get(t.ExpandedEventDate, f"/v1/dates/{id}", {"expand": expand})

    def date_summary(self, id: int) -> t.Summary:
        """Get the summary of a date."""
        return self._get(t.Summary, f"/v1/dates/{id}/summary")

    def order(self, id: int, *, expand: Sequence[Literal["tickets", "payments", "attendees", "event", "date", "discount"]] = ()) -> t.OrderWithTickets:
        """
        Get one order with its tickets.

        :param expand: What to include: tickets, payments, attendees, event, date, discount. Included resources may lack changes of the last second. The tickets are always included.
        """
        return self._get(t.OrderWithTickets, f"/v1/orders/{id}", {"expand": expand})

    def ticket(self, id: int, *, expand: Sequence[Literal["order", "event", "date", "ticket_category", "attendee"]] = ()) -> t.ExpandedTicket:
        """
        Get one ticket.

        :param expand: What to include: order, event, date, ticket_category, attendee. Included resources may lack changes of the last second.
        """
        return self._get(t.ExpandedTicket, f"/v1/tickets/{id}", {"expand": expand})

    def payment(self, id: int) -> t.Payment:
        """Get one payment."""
        return self._get(t.Payment, f"/v1/payments/{id}")

    def discount(self, id: int) -> t.Discount:
        """Get one discount."""
        return self._get(t.Discount, f"/v1/discounts/{id}")

    def attendee(self, id: int) -> t.Attendee:
        """Get one attendee."""
        return self._get(t.Attendee, f"/v1/attendees/{id}")
