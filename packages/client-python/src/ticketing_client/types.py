"""The API's schemas. Made by `npm run client:generate` from the OpenAPI document."""

from __future__ import annotations

from typing import Literal, TypedDict

from typing_extensions import NotRequired

ChangeKind = Literal["upserted", "deleted"]

Scope = Literal["read", "write:balance_payments", "write:orders"]


class Attendee(TypedDict):
    """A person who attends with a ticket."""

    id: int
    """Attendee id."""
    order_id: int
    """Id of the ticket's order."""
    ticket_id: int
    """Id of the attendee's ticket."""
    event_id: int
    """Id of the event."""
    date_id: int
    """Id of the event date."""
    ticket_category_id: int
    """Id of the ticket's category."""
    status: str
    """State of the attendee, in the organisation's own words."""
    first_name: str | None
    """First name."""
    last_name: str | None
    """Last name."""
    email: str | None
    """E-mail address."""
    phone: str | None
    """Telephone number."""
    answers: list[AttendeeAnswer]
    """Questions put to the attendee, with the answers."""
    checked_in: bool
    """True when the attendee was checked in at the door."""
    date_checked_in: str | None
    """When the attendee was checked in, if they were. Without an offset, it is the local time at the event."""
    date_created: str
    """Creation time, ISO 8601. Without an offset, it is the local time at the event."""
    date_modified: str
    """Time of the last change, ISO 8601. Without an offset, it is the local time at the event."""


class AttendeeAnswer(TypedDict):
    """A question put to an attendee, with the answer."""

    question_id: int
    """Question id."""
    question: str
    """The question."""
    answer: str | None
    """The answer; null if not answered."""


class AttendeeChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["attendee"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: Attendee | None
    """The resource as it is now; null if it was deleted."""


class AttendeePage(TypedDict):
    """One page of the list."""

    data: list[Attendee]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class BalancePayment(TypedDict):
    """An external payment or refund recorded against an event's balance, apart from buyers' payments. Only its `external_reference` and `note` can change: the platform team can remove them, and the deletion of the event does."""

    id: int
    """Balance payment id, assigned by this service."""
    event_id: int
    """Id of the event."""
    type: Literal["payment", "refund"]
    """Direction of the money."""
    amount: int
    """Amount in pence; always positive."""
    date: str
    """When the payment happened, ISO 8601. Without an offset, it is the local time at the event."""
    method: str | None
    """Method of payment."""
    external_reference: str | None
    """Reference in the other system; null also after it was removed."""
    note: str | None
    """Free text; null also after it was removed."""
    balance_after: int
    """The event's recorded balance after this entry: payments less refunds, in pence."""
    currency_symbol: str | None
    """Display symbol of the event's currency."""
    currency: str | None
    """ISO 4217 code of the event's currency; null if unknown."""
    date_created: str
    """When this service recorded it."""
    api_key_prefix: str
    """Prefix of the API key that recorded it."""


class BalancePaymentChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["balance_payment"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: BalancePayment | None
    """The resource as it is now; null if it was deleted."""


class BalancePaymentInput(TypedDict):
    """A balance payment or refund to record."""

    type: Literal["payment", "refund"]
    """Direction of the money."""
    amount: int
    """Amount in pence."""
    date: NotRequired[str | None]
    """When the payment happened, ISO 8601, at most a day ahead; now by default. Without an offset, it is the local time at the event."""
    method: NotRequired[str | None]
    """Method of payment."""
    external_reference: NotRequired[str | None]
    """Reference in your system."""
    note: NotRequired[str | None]
    """Free text."""


class BalancePaymentPage(TypedDict):
    """One page of the list."""

    data: list[BalancePayment]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class CallingKey(TypedDict):
    """The API key that made the request, without its secret."""

    name: str
    """Label chosen at creation."""
    prefix: str
    """First 12 characters of the key, to distinguish keys."""
    scopes: list[Scope]
    """Scopes granted at creation."""
    organisation_id: int
    """The organisation whose data the key reads."""
    rate_limit: RateLimit | None
    """How many requests are accepted; null without a limit."""


class CategorySummary(TypedDict):
    """Sales of one ticket category."""

    ticket_category_id: int
    """Ticket category id."""
    tickets_sold: int
    """Number of `valid` tickets in the category, of `paid` and `refunded` orders, which are the tickets sold, in all currencies."""
    people: int
    """Number of people that the tickets sold admit, in all currencies."""
    gross: int
    """Sum of the `original_price` of the tickets sold in the summary's currency, in pence."""
    sales_total: int
    """Sum of the `price` of the tickets sold in the summary's currency, in pence."""


class ChangesMessage(TypedDict):
    """Resources changed. Run the sync, or read each of them."""

    type: Literal["changes"]
    """The kind of message. Ignore kinds that you do not know."""
    timestamp: str
    """When the message was sent."""
    data: ChangesMessageData


class ChangesMessageData(TypedDict):
    """The data of a message of changes."""

    organisation_id: int
    """The webhook's organisation."""
    has_more: bool
    """Another message follows within seconds."""
    changes: list[WebhookChange]
    """Up to 100 changes and deletions, oldest first."""


class ChangesPage(TypedDict):
    """One page of changes."""

    data: list[Change]
    """The rows of this page, in the list's order."""
    pagination: ChangesPagination


class ChangesPagination(TypedDict):
    """Position of this page among the changes."""

    per_page: int
    """The request's `per_page`, or the default."""
    has_more: bool
    """True if another page follows."""
    next_cursor: str | None
    """The `cursor` for the next page; null on the last page."""
    resume_cursor: str
    """The `cursor` to continue after this page, even after the last one. Store it with the rows. It is valid for 30 days."""


class CurrencySummary(TypedDict):
    """The amounts in one currency other than the summary's."""

    currency: str | None
    """ISO 4217 code; null if the orders have only a symbol."""
    currency_symbol: str | None
    """The first 16 characters of the orders' symbol if they have no code, otherwise null."""
    gross: int
    """Sum of the `original_price`, before discounts, of the tickets sold, in pence. Other rows than those of `discount_total`, so their difference means nothing: see `sales_total`."""
    sales_total: int
    """The sales: sum of the `price`, after discounts, of the tickets sold, in pence."""
    discount_total: int
    """Sum of the `discount_total` of `paid` and `refunded` orders, also of their tickets not sold, in pence."""
    fee_total: int
    """Sum of the `fee_total` of `paid` and `refunded` orders, in pence."""
    tax_total: int
    """Sum of the `tax_total` of `paid` and `refunded` orders, in pence."""
    refunded_total: int
    """Sum of the `amount` of all `confirmed` refunds, of orders in any state and without an order, in pence."""
    net: int
    """The money received, in pence: the `amount` of all `confirmed` payments less that of all `confirmed` refunds, of orders in any state and without an order."""
    balance_paid_total: int
    """Sum of the `amount` of the event's balance payments of type `payment`, in pence; 0 for a date."""
    balance_refunded_total: int
    """Sum of the `amount` of the event's balance payments of type `refund`, in pence; 0 for a date."""


class Discount(TypedDict):
    """A price reduction for tickets of an event."""

    id: int
    """Discount id."""
    event_id: int
    """Id of the event."""
    name: str | None
    """Name of the discount."""
    code: str | None
    """Code that the buyer enters; null if the discount applies automatically."""
    type: Literal["percent", "amount"]
    """Whether `percent` or `amount` is taken off."""
    percent: float | None
    """Percent of the price, 0 to 100."""
    amount: int | None
    """Amount off each ticket, in pence."""
    ticket_category_ids: list[int]
    """Ids of the ticket categories that the discount applies to; empty for all."""
    date_ids: list[int]
    """Ids of the event dates that the discount applies to; empty for all."""
    start_date: str | None
    """Start of validity, ISO 8601, if set. Without an offset, it is the local time at the event."""
    end_date: str | None
    """End of validity, ISO 8601, if set. Without an offset, it is the local time at the event."""
    usage_limit: int | None
    """Maximum number of uses in total, if set."""
    times_used: int
    """Number of uses so far."""
    minimum_per_order: int | None
    """Minimum number of tickets in the order, if set."""
    active: bool
    """True while the discount may be used."""
    date_created: str | None
    """Creation time, ISO 8601. Without an offset, it is the local time at the event."""


class DiscountChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["discount"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: Discount | None
    """The resource as it is now; null if it was deleted."""


class DiscountPage(TypedDict):
    """One page of the list."""

    data: list[Discount]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class Event(TypedDict):
    """An event that tickets are sold for: the root of the data."""

    id: int
    """Numeric event id, used in other endpoints."""
    tag: str
    """URL slug of the event."""
    name: str
    """Event name."""
    organisation_id: int
    """Id of the key's organisation."""
    type: str | None
    """Event type, in the organisation's own words."""
    description: str | None
    """Event description."""
    date_created: str | None
    """Creation time, ISO 8601. Without an offset, it is the local time at the event."""
    time_zone_id: str | None
    """The name of the event's time zone in the organisation's core system, usually an IANA name."""
    venue_id: int | None
    """Id of the linked venue."""
    tour_id: int | None
    """Id of the linked tour."""
    currency_symbol: str | None
    """Display symbol of the event's currency."""
    unlisted: bool | None
    """True when the event is hidden from listings. A program that publishes events or dates must leave it out."""
    private: bool | None
    """True when the event is private. A program that publishes events or dates must leave it out."""
    ticketing_enabled: bool | None
    """True when ticketing is on."""
    buying_enabled: bool | None
    """True when buying is currently open."""
    currency: str | None
    """ISO 4217 code of the event's currency; null if unknown."""


class EventChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["event"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: Event | None
    """The resource as it is now; null if it was deleted."""


class EventDate(TypedDict):
    """One performance of an event. Ask your organisation how it marks cancelled dates: it may delete them, or use `suspend` or a `time_type`."""

    id: int
    """Date id, used in the Dates endpoints."""
    event_id: int
    """Parent event id."""
    date: str
    """Start date and time, ISO 8601. Without an offset, it is the local time at the event."""
    end_date: str | None
    """End date and time, ISO 8601, if set. Ask your organisation whether a date alone is the last day or the day after it. Without an offset, it is the local time at the event."""
    time_type: int
    """How the time is interpreted: a code of the organisation's core system. Ask your organisation what it means."""
    name: str | None
    """Optional name of the performance."""
    sold_out: bool | None
    """True when the date is sold out."""
    suspend: bool | None
    """True when sales are suspended, which does not mean that the date is cancelled."""


class EventDateChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["event_date"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: EventDate | None
    """The resource as it is now; null if it was deleted."""


class EventPage(TypedDict):
    """One page of the list."""

    data: list[Event]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class ExpandedEventDate(TypedDict):
    """A date with the resources that `expand` names."""

    id: int
    """Date id, used in the Dates endpoints."""
    event_id: int
    """Parent event id."""
    date: str
    """Start date and time, ISO 8601. Without an offset, it is the local time at the event."""
    end_date: str | None
    """End date and time, ISO 8601, if set. Ask your organisation whether a date alone is the last day or the day after it. Without an offset, it is the local time at the event."""
    time_type: int
    """How the time is interpreted: a code of the organisation's core system. Ask your organisation what it means."""
    name: str | None
    """Optional name of the performance."""
    sold_out: bool | None
    """True when the date is sold out."""
    suspend: bool | None
    """True when sales are suspended, which does not mean that the date is cancelled."""
    event: NotRequired[Event | None]
    """The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted."""


class ExpandedEventDatePage(TypedDict):
    """One page of the list."""

    data: list[ExpandedEventDate]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class ExpandedOrder(TypedDict):
    """An order with the resources that `expand` names."""

    id: int
    """Order id."""
    event_id: int
    """Id of the event."""
    date_id: int
    """Id of the event date."""
    reference: str
    """Order reference that the buyer sees."""
    status: Literal["pending", "paid", "cancelled", "expired", "refunded"]
    """State of the order. Summaries count `paid` and `refunded` orders."""
    date_created: str
    """When the order was placed, ISO 8601. Without an offset, it is the local time at the event."""
    date_modified: str
    """Time of the last change, in the organisation's core system or through this API. Without an offset, it is the local time at the event."""
    date_cancelled: str | None
    """When the order was cancelled, if it was. Without an offset, it is the local time at the event."""
    first_name: str | None
    """First name of the buyer."""
    last_name: str | None
    """Last name of the buyer."""
    email: str | None
    """E-mail address of the buyer."""
    phone: str | None
    """Telephone number of the buyer."""
    subtotal: int
    """Sum of the tickets' prices before discounts, in pence."""
    discount_total: int
    """Sum of the discounts, in pence."""
    fee_total: int
    """Sum of the fees, in pence."""
    tax_total: int
    """Sum of the taxes, in pence."""
    total: int
    """Total price of the order, in pence."""
    paid_total: int
    """Amount paid so far, in pence."""
    refunded_total: int
    """Amount refunded so far, in pence."""
    balance: int
    """Amount still to be paid, in pence."""
    currency_symbol: str | None
    """Display symbol of the currency."""
    currency: str | None
    """ISO 4217 code of the currency; null if unknown."""
    discount_id: int | None
    """Id of the discount used, if any."""
    discount_code: str | None
    """Discount code that the buyer entered, if any."""
    payment_method: str | None
    """Method of payment, in the organisation's own words."""
    source: str | None
    """Sales channel, in the organisation's own words."""
    admin_note: str | None
    """Note of the back office."""
    tickets: NotRequired[list[Ticket]]
    """The first 100 rows of `GET /v1/orders/{id}/tickets`, only with `expand=tickets`."""
    has_more_tickets: NotRequired[bool]
    """Present, and true, only if the order has more tickets. `GET /v1/orders/{id}/tickets` lists all of them."""
    payments: NotRequired[list[Payment]]
    """The first 100 rows of `GET /v1/orders/{id}/payments`, only with `expand=payments`."""
    has_more_payments: NotRequired[bool]
    """Present, and true, only if the order has more payments. `GET /v1/orders/{id}/payments` lists all of them."""
    attendees: NotRequired[list[Attendee]]
    """The first 100 rows of `GET /v1/orders/{id}/attendees`, only with `expand=attendees`."""
    has_more_attendees: NotRequired[bool]
    """Present, and true, only if the order has more attendees. `GET /v1/orders/{id}/attendees` lists all of them."""
    event: NotRequired[Event | None]
    """The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted."""
    date: NotRequired[EventDate | None]
    """The resource of `date_id`, only with `expand=date`; null if it does not exist or was deleted."""
    discount: NotRequired[Discount | None]
    """The resource of `discount_id`, only with `expand=discount`; null if it does not exist or was deleted."""


class ExpandedOrderPage(TypedDict):
    """One page of the list."""

    data: list[ExpandedOrder]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class ExpandedPayment(TypedDict):
    """A payment with the resources that `expand` names."""

    id: int
    """Payment id."""
    order_id: int | None
    """Id of the order, if any."""
    event_id: int
    """Id of the event."""
    date_id: int | None
    """Id of the event date, if any."""
    type: Literal["payment", "refund"]
    """Direction of the money."""
    status: Literal["pending", "confirmed", "failed", "cancelled"]
    """State of the payment. Summaries count only `confirmed` payments, with an order in any state or without one."""
    amount: int
    """Amount in pence; never negative."""
    method: str | None
    """Method of payment, in the organisation's own words."""
    provider: str | None
    """Payment provider, in the organisation's own words."""
    external_reference: str | None
    """Reference at the provider."""
    refunded_payment_id: int | None
    """For a refund, the id of the refunded payment, if known."""
    reason: str | None
    """Reason for the refund or failure."""
    date_created: str
    """Creation time, ISO 8601. Without an offset, it is the local time at the event."""
    date_completed: str | None
    """When the payment was confirmed, failed or was cancelled. Without an offset, it is the local time at the event."""
    currency: str | None
    """ISO 4217 code of the amount's currency. If null, it is the order's or, without an order, the event's."""
    order: NotRequired[Order | None]
    """The resource of `order_id`, only with `expand=order`; null if it does not exist or was deleted."""
    event: NotRequired[Event | None]
    """The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted."""


class ExpandedPaymentPage(TypedDict):
    """One page of the list."""

    data: list[ExpandedPayment]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class ExpandedTicket(TypedDict):
    """A ticket with the resources that `expand` names."""

    id: int
    """Ticket id."""
    order_id: int
    """Id of the ticket's order."""
    event_id: int
    """Id of the event."""
    date_id: int
    """Id of the event date."""
    ticket_category_id: int
    """Id of the ticket category, to obtain the ticket's name. The price is the ticket's own."""
    attendee_id: int | None
    """Id of the attendee, if one is named."""
    status: Literal["valid", "void", "refunded"]
    """Only `valid` tickets admit. Summaries count those of `paid` and `refunded` orders as sold."""
    price: int
    """Price charged, in pence. It is the ticket's own: its category's `price` may differ, or have changed since."""
    original_price: int
    """Price before discount, in pence."""
    discount_id: int | None
    """Id of the discount applied, if any."""
    barcode: str | None
    """Content of the ticket's barcode, if it has one."""
    seat: str | None
    """Seat, if seats are numbered."""
    checked_in: bool
    """True when the ticket was checked in at the door."""
    date_checked_in: str | None
    """When it was checked in, if it was. Without an offset, it is the local time at the event."""
    date_created: str
    """Creation time, ISO 8601. Without an offset, it is the local time at the event."""
    date_modified: str
    """Time of the last change, ISO 8601. Without an offset, it is the local time at the event."""
    date_voided: str | None
    """When it was voided, if it was. Without an offset, it is the local time at the event."""
    order: NotRequired[Order | None]
    """The resource of `order_id`, only with `expand=order`; null if it does not exist or was deleted."""
    event: NotRequired[Event | None]
    """The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted."""
    date: NotRequired[EventDate | None]
    """The resource of `date_id`, only with `expand=date`; null if it does not exist or was deleted."""
    ticket_category: NotRequired[TicketCategory | None]
    """The resource of `ticket_category_id`, only with `expand=ticket_category`; null if it does not exist or was deleted."""
    attendee: NotRequired[Attendee | None]
    """The resource of `attendee_id`, only with `expand=attendee`; null if it does not exist or was deleted."""


class ExpandedTicketPage(TypedDict):
    """One page of the list."""

    data: list[ExpandedTicket]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class InvalidValue(TypedDict):
    """One invalid value, identified by `parameter` or `pointer`."""

    parameter: NotRequired[str]
    """Name of the invalid query parameter or header."""
    pointer: NotRequired[str]
    """JSON pointer (RFC 6901) to the invalid member of the body."""
    detail: str
    """Why the value is invalid, for the client's developer."""


class MessageData(TypedDict):
    """The data of a message without changes."""

    organisation_id: int
    """The webhook's organisation."""


class Order(TypedDict):
    """A buyer's order for one date of an event."""

    id: int
    """Order id."""
    event_id: int
    """Id of the event."""
    date_id: int
    """Id of the event date."""
    reference: str
    """Order reference that the buyer sees."""
    status: Literal["pending", "paid", "cancelled", "expired", "refunded"]
    """State of the order. Summaries count `paid` and `refunded` orders."""
    date_created: str
    """When the order was placed, ISO 8601. Without an offset, it is the local time at the event."""
    date_modified: str
    """Time of the last change, in the organisation's core system or through this API. Without an offset, it is the local time at the event."""
    date_cancelled: str | None
    """When the order was cancelled, if it was. Without an offset, it is the local time at the event."""
    first_name: str | None
    """First name of the buyer."""
    last_name: str | None
    """Last name of the buyer."""
    email: str | None
    """E-mail address of the buyer."""
    phone: str | None
    """Telephone number of the buyer."""
    subtotal: int
    """Sum of the tickets' prices before discounts, in pence."""
    discount_total: int
    """Sum of the discounts, in pence."""
    fee_total: int
    """Sum of the fees, in pence."""
    tax_total: int
    """Sum of the taxes, in pence."""
    total: int
    """Total price of the order, in pence."""
    paid_total: int
    """Amount paid so far, in pence."""
    refunded_total: int
    """Amount refunded so far, in pence."""
    balance: int
    """Amount still to be paid, in pence."""
    currency_symbol: str | None
    """Display symbol of the currency."""
    currency: str | None
    """ISO 4217 code of the currency; null if unknown."""
    discount_id: int | None
    """Id of the discount used, if any."""
    discount_code: str | None
    """Discount code that the buyer entered, if any."""
    payment_method: str | None
    """Method of payment, in the organisation's own words."""
    source: str | None
    """Sales channel, in the organisation's own words."""
    admin_note: str | None
    """Note of the back office."""


class OrderChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["order"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: Order | None
    """The resource as it is now; null if it was deleted."""


class OrderPage(TypedDict):
    """One page of the list."""

    data: list[Order]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class OrderUpdate(TypedDict):
    """Changes to an order."""

    admin_note: str | None
    """The new note, up to 5000 characters; null removes the note."""


class OrderWithTickets(TypedDict):
    """An order with its tickets, and the resources that `expand` names."""

    id: int
    """Order id."""
    event_id: int
    """Id of the event."""
    date_id: int
    """Id of the event date."""
    reference: str
    """Order reference that the buyer sees."""
    status: Literal["pending", "paid", "cancelled", "expired", "refunded"]
    """State of the order. Summaries count `paid` and `refunded` orders."""
    date_created: str
    """When the order was placed, ISO 8601. Without an offset, it is the local time at the event."""
    date_modified: str
    """Time of the last change, in the organisation's core system or through this API. Without an offset, it is the local time at the event."""
    date_cancelled: str | None
    """When the order was cancelled, if it was. Without an offset, it is the local time at the event."""
    first_name: str | None
    """First name of the buyer."""
    last_name: str | None
    """Last name of the buyer."""
    email: str | None
    """E-mail address of the buyer."""
    phone: str | None
    """Telephone number of the buyer."""
    subtotal: int
    """Sum of the tickets' prices before discounts, in pence."""
    discount_total: int
    """Sum of the discounts, in pence."""
    fee_total: int
    """Sum of the fees, in pence."""
    tax_total: int
    """Sum of the taxes, in pence."""
    total: int
    """Total price of the order, in pence."""
    paid_total: int
    """Amount paid so far, in pence."""
    refunded_total: int
    """Amount refunded so far, in pence."""
    balance: int
    """Amount still to be paid, in pence."""
    currency_symbol: str | None
    """Display symbol of the currency."""
    currency: str | None
    """ISO 4217 code of the currency; null if unknown."""
    discount_id: int | None
    """Id of the discount used, if any."""
    discount_code: str | None
    """Discount code that the buyer entered, if any."""
    payment_method: str | None
    """Method of payment, in the organisation's own words."""
    source: str | None
    """Sales channel, in the organisation's own words."""
    admin_note: str | None
    """Note of the back office."""
    tickets: list[Ticket]
    """The order's tickets, ordered by id: all of them, or as many as fit into 3 MB, about 5,000."""
    has_more_tickets: NotRequired[bool]
    """Present, and true, only if the order has more tickets. `GET /v1/orders/{id}/tickets` lists all of them."""
    payments: NotRequired[list[Payment]]
    """The first 100 rows of `GET /v1/orders/{id}/payments`, only with `expand=payments`."""
    has_more_payments: NotRequired[bool]
    """Present, and true, only if the order has more payments. `GET /v1/orders/{id}/payments` lists all of them."""
    attendees: NotRequired[list[Attendee]]
    """The first 100 rows of `GET /v1/orders/{id}/attendees`, only with `expand=attendees`."""
    has_more_attendees: NotRequired[bool]
    """Present, and true, only if the order has more attendees. `GET /v1/orders/{id}/attendees` lists all of them."""
    event: NotRequired[Event | None]
    """The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted."""
    date: NotRequired[EventDate | None]
    """The resource of `date_id`, only with `expand=date`; null if it does not exist or was deleted."""
    discount: NotRequired[Discount | None]
    """The resource of `discount_id`, only with `expand=discount`; null if it does not exist or was deleted."""


class Pagination(TypedDict):
    """Position of this page in the list."""

    per_page: int
    """The request's `per_page`, or the default."""
    has_more: bool
    """True if another page follows."""
    next_cursor: str | None
    """The `cursor` for the next page; null on the last page."""


class Payment(TypedDict):
    """A payment from a buyer, or a refund to one."""

    id: int
    """Payment id."""
    order_id: int | None
    """Id of the order, if any."""
    event_id: int
    """Id of the event."""
    date_id: int | None
    """Id of the event date, if any."""
    type: Literal["payment", "refund"]
    """Direction of the money."""
    status: Literal["pending", "confirmed", "failed", "cancelled"]
    """State of the payment. Summaries count only `confirmed` payments, with an order in any state or without one."""
    amount: int
    """Amount in pence; never negative."""
    method: str | None
    """Method of payment, in the organisation's own words."""
    provider: str | None
    """Payment provider, in the organisation's own words."""
    external_reference: str | None
    """Reference at the provider."""
    refunded_payment_id: int | None
    """For a refund, the id of the refunded payment, if known."""
    reason: str | None
    """Reason for the refund or failure."""
    date_created: str
    """Creation time, ISO 8601. Without an offset, it is the local time at the event."""
    date_completed: str | None
    """When the payment was confirmed, failed or was cancelled. Without an offset, it is the local time at the event."""
    currency: str | None
    """ISO 4217 code of the amount's currency. If null, it is the order's or, without an order, the event's."""


class PaymentChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["payment"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: Payment | None
    """The resource as it is now; null if it was deleted."""


class PaymentPage(TypedDict):
    """One page of the list."""

    data: list[Payment]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class Problem(TypedDict):
    """An error, as RFC 9457 problem details."""

    type: Literal["about:blank"]
    """Always `about:blank`; use `code` to distinguish errors."""
    title: str
    """Name of the HTTP status."""
    status: int
    """The HTTP status."""
    code: Literal["invalid_request", "unauthorized", "forbidden", "not_found", "method_not_allowed", "conflict", "cursor_expired", "precondition_failed", "payload_too_large", "unsupported_media_type", "expectation_failed", "date_in_future", "idempotency_mismatch", "rate_limited", "internal_error", "service_unavailable"]
    """The kind of error. Stable, for programs."""
    detail: str
    """The cause, for the client's developer. The wording may change."""
    errors: NotRequired[list[InvalidValue]]
    """Only with `invalid_request`: the first 20 invalid values."""
    more_errors: NotRequired[int]
    """Number of further invalid values, if any."""
    required_scope: NotRequired[Scope]
    """Only with `forbidden`: the scope that the key lacks."""
    key_id: NotRequired[str]
    """Only with `conflict` from `createApiKey`: the key that an earlier request with this `Idempotency-Key` created."""
    request_id: str
    """Quote this id when you ask for help. Also in `X-Request-Id`."""


class RateLimit(TypedDict):
    """Requests above these numbers get 429."""

    requests: int
    """Requests per window with this key."""
    organisation_requests: int
    """Requests per window with all keys of the organisation."""
    seconds: int
    """Length of a window."""


class RestartMessage(TypedDict):
    """The webhook was off for more than 30 days, so deletions may be missing. Make a new copy of everything."""

    type: Literal["restart"]
    """The kind of message. Ignore kinds that you do not know."""
    timestamp: str
    """When the message was sent."""
    data: MessageData


class Summary(TypedDict):
    """The sales of an event or of one date, kept up to date as orders, tickets and payments change."""

    event_id: int
    """Id of the event."""
    date_id: int | None
    """Id of the event date; null in the summary of a whole event."""
    orders_count: int
    """Number of `paid` and `refunded` orders, in all currencies."""
    tickets_sold: int
    """Number of tickets sold: `valid` tickets of `paid` and `refunded` orders, in all currencies."""
    people: int
    """Number of people that the tickets sold admit: the sum of their categories' `people`, in all currencies."""
    checked_in_count: int
    """Number of the tickets sold that are checked in: tickets, not people, in all currencies."""
    people_checked_in: int
    """Number of people that the tickets sold and checked in admit, in all currencies."""
    gross: int
    """Sum of the `original_price`, before discounts, of the tickets sold, in pence. Other rows than those of `discount_total`, so their difference means nothing: see `sales_total`."""
    sales_total: int
    """The sales: sum of the `price`, after discounts, of the tickets sold, in pence."""
    discount_total: int
    """Sum of the `discount_total` of `paid` and `refunded` orders, also of their tickets not sold, in pence."""
    fee_total: int
    """Sum of the `fee_total` of `paid` and `refunded` orders, in pence."""
    tax_total: int
    """Sum of the `tax_total` of `paid` and `refunded` orders, in pence."""
    refunded_total: int
    """Sum of the `amount` of all `confirmed` refunds, of orders in any state and without an order, in pence."""
    net: int
    """The money received, in pence: the `amount` of all `confirmed` payments less that of all `confirmed` refunds, of orders in any state and without an order."""
    balance_paid_total: int
    """Sum of the `amount` of the event's balance payments of type `payment`, in pence; 0 for a date."""
    balance_refunded_total: int
    """Sum of the `amount` of the event's balance payments of type `refund`, in pence; 0 for a date."""
    currency_symbol: str | None
    """Display symbol of the event's currency. All amounts outside `other_currencies` are in this currency."""
    currency: str | None
    """ISO 4217 code of the event's currency; null if unknown. If the event has no code, and all amounts with a known currency have the same one, these fields name that currency."""
    date_generated: str
    """When these numbers last changed."""
    ticket_categories: list[CategorySummary]
    """Each ticket category of the tickets sold, ordered by id."""
    has_more_ticket_categories: NotRequired[bool]
    """True if there are more, otherwise absent. About 50,000 ticket categories fit into a response; all numbers count all of them."""
    other_currencies: list[CurrencySummary]
    """The amounts of tickets, orders, payments and balance payments in other currencies, which no other field includes, ordered by code or symbol."""
    has_more_other_currencies: NotRequired[bool]
    """True if there are more, otherwise absent. About 15,000 currencies fit into a response; all numbers count all of them."""


class TestMessage(TypedDict):
    """A test message. Do nothing."""

    type: Literal["test"]
    """The kind of message. Ignore kinds that you do not know."""
    timestamp: str
    """When the message was sent."""
    data: MessageData


class Ticket(TypedDict):
    """A ticket of an order: admission to one event date in one ticket category."""

    id: int
    """Ticket id."""
    order_id: int
    """Id of the ticket's order."""
    event_id: int
    """Id of the event."""
    date_id: int
    """Id of the event date."""
    ticket_category_id: int
    """Id of the ticket category, to obtain the ticket's name. The price is the ticket's own."""
    attendee_id: int | None
    """Id of the attendee, if one is named."""
    status: Literal["valid", "void", "refunded"]
    """Only `valid` tickets admit. Summaries count those of `paid` and `refunded` orders as sold."""
    price: int
    """Price charged, in pence. It is the ticket's own: its category's `price` may differ, or have changed since."""
    original_price: int
    """Price before discount, in pence."""
    discount_id: int | None
    """Id of the discount applied, if any."""
    barcode: str | None
    """Content of the ticket's barcode, if it has one."""
    seat: str | None
    """Seat, if seats are numbered."""
    checked_in: bool
    """True when the ticket was checked in at the door."""
    date_checked_in: str | None
    """When it was checked in, if it was. Without an offset, it is the local time at the event."""
    date_created: str
    """Creation time, ISO 8601. Without an offset, it is the local time at the event."""
    date_modified: str
    """Time of the last change, ISO 8601. Without an offset, it is the local time at the event."""
    date_voided: str | None
    """When it was voided, if it was. Without an offset, it is the local time at the event."""


class TicketCategory(TypedDict):
    """A kind of ticket of an event, with its price."""

    id: int
    """Category id; equals `ticket_category_id` on order tickets."""
    name: str | None
    """Category name."""
    description: str | None
    """Optional description."""
    price: int
    """Price per ticket in pence, at present. A sold ticket has its own `price`."""
    people: int
    """Number of people one ticket of this category admits."""
    sort_index: int
    """Display order within the event, lowest first."""
    limit: int | None
    """Maximum number of tickets of this category per order, if set."""
    minimum_per_order: int | None
    """Minimum number of tickets required per order, if set."""
    hidden: bool
    """True when the category is hidden from buyers."""


class TicketCategoryChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["ticket_category"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    event_id: int | None
    """Id of the category's event; null if the resource was deleted."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: TicketCategory | None
    """The resource as it is now; null if it was deleted."""


class TicketCategoryPage(TypedDict):
    """One page of the list."""

    data: list[TicketCategory]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class TicketChange(TypedDict):
    """The latest change of a resource."""

    type: Literal["ticket"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""
    data: Ticket | None
    """The resource as it is now; null if it was deleted."""


class TicketPage(TypedDict):
    """One page of the list."""

    data: list[Ticket]
    """The rows of this page, in the list's order."""
    pagination: Pagination


class WebhookChange(TypedDict):
    """Which resource changed. Read it with an API key."""

    type: Literal["event", "event_date", "ticket_category", "order", "ticket", "payment", "discount", "attendee", "balance_payment"]
    """The kind of resource."""
    id: int
    """The resource's id."""
    event_id: NotRequired[int | None]
    """Only for `ticket_category` and `balance_payment`, which are read as lists of their event; null if the resource was deleted."""
    change: ChangeKind
    changed_at: str
    """When this service accepted the change."""
    key: str
    """Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field."""

Change = EventChange | EventDateChange | TicketCategoryChange | OrderChange | TicketChange | PaymentChange | DiscountChange | AttendeeChange | BalancePaymentChange
