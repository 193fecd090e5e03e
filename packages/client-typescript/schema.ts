// Made by "npm run client:generate" from the OpenAPI document.
export interface paths {
  "/v1/key": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the calling key
     * @description A good first call: it shows whether the key works, which organisation's data it reads, and its scopes.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["getKey"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/changes": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List changes and deletions, for incremental sync
     * @description Lists the organisation's resources in the order in which this service accepted their latest changes, oldest first. A resource that changes again moves to the end. A change appears some seconds after it was accepted, and continuing from a `resume_cursor` misses no change and no deletion. Importing an unchanged record again is not a change.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listChanges"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events, most recent first
     * @description Ordered by `date_created` descending as instants, null last, then by `id` descending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one event
     * @description Needs the scope `read`, which every key has.
     */
    get: operations["getEvent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}/dates": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an event's dates, soonest first
     * @description Ordered by `date` ascending as instants, then by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listEventDates"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}/ticket-categories": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an event's ticket categories, in display order
     * @description Ordered by `sort_index` ascending, then by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listEventTicketCategories"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}/discounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an event's discounts
     * @description Ordered by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listEventDiscounts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}/payments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an event's payments, newest first
     * @description Payments from buyers and refunds to them. Ordered by `date_created` descending as instants, then by `id` descending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listEventPayments"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}/balance-payments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an event's balance payments, newest first
     * @description External payments and refunds recorded against the event's balance. Ordered by `date_created` descending as instants, then by `id` descending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listEventBalancePayments"];
    put?: never;
    /**
     * Record a balance payment or refund
     * @description Records an external payment or refund against the event's balance. A refund must not exceed the recorded balance: payments less refunds. Always send an `Idempotency-Key`, because your HTTP library may repeat the request although your program does not. With the key, repetitions record only once and get the first response again, 201 or 409.
     *
     *     Needs the scope `write:balance_payments`.
     */
    post: operations["recordBalancePayment"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/events/{id}/summary": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the summary of an event
     * @description The summary follows a change of the records within seconds.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["getEventSummary"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/dates": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List dates of all events, soonest first
     * @description `from` and `to` limit the start. The dates of `private` and `unlisted` events are in the list, too: a program that publishes dates must leave them out, so request `expand=event`. Ordered by `date` ascending as instants, then by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listDates"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/dates/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one event date
     * @description Needs the scope `read`, which every key has.
     */
    get: operations["getDate"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/dates/{id}/orders": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a date's orders, newest first
     * @description Ordered by `date_created` descending as instants, then by `id` descending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listDateOrders"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/dates/{id}/tickets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a date's tickets
     * @description Ordered by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listDateTickets"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/dates/{id}/attendees": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List a date's attendees
     * @description The attendees with their answers, for example for a door list. Ordered by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listDateAttendees"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/dates/{id}/summary": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the summary of a date
     * @description The summary follows a change of the records within seconds.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["getDateSummary"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/orders": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List orders, newest first
     * @description Ordered by `date_created` descending as instants, then by `id` descending. To keep a copy up to date, use `GET /v1/changes`.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listOrders"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/orders/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one order with its tickets
     * @description Needs the scope `read`, which every key has.
     */
    get: operations["getOrder"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Update an order's admin note
     * @description Sets or removes the back office's note. Later updates from the core system do not change the note. Returns the updated order.
     *
     *     Needs the scope `write:orders`.
     */
    patch: operations["updateOrder"];
    trace?: never;
  };
  "/v1/orders/{id}/tickets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an order's tickets
     * @description All tickets of the order, including void and refunded ones. Ordered by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listOrderTickets"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/orders/{id}/attendees": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an order's attendees
     * @description Ordered by `id` ascending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listOrderAttendees"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/orders/{id}/payments": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List an order's payments, newest first
     * @description Payments and refunds. Ordered by `date_created` descending as instants, then by `id` descending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listOrderPayments"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/tickets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find tickets by barcode
     * @description Lists the organisation's tickets with this barcode, ordered by `id` ascending. If no ticket has it, the list is empty.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listTickets"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/tickets/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one ticket
     * @description Needs the scope `read`, which every key has.
     */
    get: operations["getTicket"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/payments/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one payment
     * @description Needs the scope `read`, which every key has.
     */
    get: operations["getPayment"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/discounts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one discount
     * @description Needs the scope `read`, which every key has.
     */
    get: operations["getDiscount"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/attendees": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find attendees by e-mail address
     * @description Lists the organisation's attendees with this e-mail address, ordered by `date_created` descending as instants, then by `id` descending. If nobody has it, the list is empty.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listAttendees"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/attendees/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get one attendee
     * @description Needs the scope `read`, which every key has.
     */
    get: operations["getAttendee"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description A person who attends with a ticket. */
    Attendee: {
      /**
       * Format: int64
       * @description Attendee id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the ticket's order.
       */
      order_id: number;
      /**
       * Format: int64
       * @description Id of the attendee's ticket.
       */
      ticket_id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date.
       */
      date_id: number;
      /**
       * Format: int64
       * @description Id of the ticket's category.
       */
      ticket_category_id: number;
      /** @description State of the attendee, in the organisation's own words. */
      status: string;
      /** @description First name. */
      first_name: string | null;
      /** @description Last name. */
      last_name: string | null;
      /** @description E-mail address. */
      email: string | null;
      /** @description Telephone number. */
      phone: string | null;
      /** @description Questions put to the attendee, with the answers. */
      answers: components["schemas"]["AttendeeAnswer"][];
      /** @description True when the attendee was checked in at the door. */
      checked_in: boolean;
      /** @description When the attendee was checked in, if so. */
      date_checked_in: string | null;
      /** @description Creation time, ISO 8601. */
      date_created: string;
      /** @description Time of the last change, ISO 8601. */
      date_modified: string;
    };
    /** @description A question put to an attendee, with the answer. */
    AttendeeAnswer: {
      /**
       * Format: int64
       * @description Question id.
       */
      question_id: number;
      /** @description The question. */
      question: string;
      /** @description The answer; null if not answered. */
      answer: string | null;
    };
    /** @description The latest change of a resource. */
    AttendeeChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "attendee";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["Attendee"] | null;
    };
    /** @description One page of the list. */
    AttendeePage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Attendee"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description An external payment or refund recorded against an event's balance. It never changes. */
    BalancePayment: {
      /**
       * Format: int64
       * @description Balance payment id, assigned by this service.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * @description Direction of the money.
       * @enum {string}
       */
      type: "payment" | "refund";
      /**
       * Format: int64
       * @description Amount in pence; always positive.
       */
      amount: number;
      /** @description When the payment happened, ISO 8601. */
      date: string;
      /** @description Method of payment. */
      method: string | null;
      /** @description Reference in the other system. */
      external_reference: string | null;
      /** @description Free text. */
      note: string | null;
      /**
       * Format: int64
       * @description The event's recorded balance after this entry: payments less refunds, in pence.
       */
      balance_after: number;
      /** @description Display symbol of the event's currency. */
      currency_symbol: string | null;
      /** @description ISO 4217 code of the event's currency; null if unknown. */
      currency: string | null;
      /**
       * Format: date-time
       * @description When this service recorded it.
       */
      date_created: string;
      /** @description Prefix of the API key that recorded it. */
      api_key_prefix: string;
    };
    /** @description The latest change of a resource. */
    BalancePaymentChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "balance_payment";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["BalancePayment"] | null;
    };
    /** @description A balance payment or refund to record. */
    BalancePaymentInput: {
      /**
       * @description Direction of the money.
       * @enum {string}
       */
      type: "payment" | "refund";
      /**
       * Format: int64
       * @description Amount in pence.
       */
      amount: number;
      /**
       * Format: date-time
       * @description When the payment happened, ISO 8601; now by default.
       */
      date?: string | null;
      /** @description Method of payment. */
      method?: string | null;
      /** @description Reference in your system. */
      external_reference?: string | null;
      /** @description Free text. */
      note?: string | null;
    };
    /** @description One page of the list. */
    BalancePaymentPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["BalancePayment"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description The API key that made the request, without its secret. */
    CallingKey: {
      /** @description Label chosen at creation. */
      name: string;
      /** @description First 12 characters of the key, to distinguish keys. */
      prefix: string;
      /** @description Scopes granted at creation. */
      scopes: components["schemas"]["Scope"][];
      /**
       * Format: int64
       * @description The organisation whose data the key reads.
       */
      organisation_id: number;
      /** @description How many requests are accepted; null without a limit. */
      rate_limit: components["schemas"]["RateLimit"] | null;
    };
    /** @description Sales of one ticket category. */
    CategorySummary: {
      /**
       * Format: int64
       * @description Ticket category id.
       */
      ticket_category_id: number;
      /**
       * Format: int64
       * @description Number of `valid` tickets in the category, of `paid` and `refunded` orders.
       */
      tickets_sold: number;
      /**
       * Format: int64
       * @description Number of people that these tickets admit.
       */
      people: number;
      /**
       * Format: int64
       * @description Sum of these tickets' `original_price`, in pence: of the orders in the summary's currency.
       */
      gross: number;
    };
    /** @description The latest change of a resource, by `type`. */
    Change:
      | components["schemas"]["EventChange"]
      | components["schemas"]["EventDateChange"]
      | components["schemas"]["TicketCategoryChange"]
      | components["schemas"]["OrderChange"]
      | components["schemas"]["TicketChange"]
      | components["schemas"]["PaymentChange"]
      | components["schemas"]["DiscountChange"]
      | components["schemas"]["AttendeeChange"]
      | components["schemas"]["BalancePaymentChange"];
    /**
     * @description What happened. `upserted`: created, changed or restored.
     * @enum {string}
     */
    ChangeKind: "upserted" | "deleted";
    /** @description Resources changed. Run the sync, or read each of them. */
    ChangesMessage: {
      /**
       * @description The kind of message. Ignore kinds that you do not know.
       * @constant
       */
      type: "changes";
      /**
       * Format: date-time
       * @description When the message was sent.
       */
      timestamp: string;
      data: components["schemas"]["ChangesMessageData"];
    };
    /** @description The data of a message of changes. */
    ChangesMessageData: {
      /**
       * Format: int64
       * @description The webhook's organisation.
       */
      organisation_id: number;
      /** @description Another message follows within seconds. */
      has_more: boolean;
      /** @description Up to 100 changes and deletions, oldest first. */
      changes: components["schemas"]["WebhookChange"][];
    };
    /** @description One page of changes. */
    ChangesPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Change"][];
      pagination: components["schemas"]["ChangesPagination"];
    };
    /** @description Position of this page among the changes. */
    ChangesPagination: {
      /**
       * Format: int64
       * @description The request's `per_page`, or the default.
       */
      per_page: number;
      /** @description True if another page follows. */
      has_more: boolean;
      /** @description The `cursor` for the next page; null on the last page. */
      next_cursor: string | null;
      /** @description The `cursor` to continue after this page, even after the last one. Store it with the rows. It is valid for 30 days. */
      resume_cursor: string;
    };
    /** @description The amounts in one currency that is not the summary's. */
    CurrencySummary: {
      /** @description ISO 4217 code; null if the orders have only a symbol. */
      currency: string | null;
      /** @description The first 16 characters of the orders' symbol if they have no code, otherwise null. */
      currency_symbol: string | null;
      /**
       * Format: int64
       * @description Sum of the `original_price`, before discounts, of the `valid` tickets of `paid` and `refunded` orders, in pence.
       */
      gross: number;
      /**
       * Format: int64
       * @description Sum of the discounts of `paid` and `refunded` orders, in pence.
       */
      discount_total: number;
      /**
       * Format: int64
       * @description Sum of the fees of `paid` and `refunded` orders, in pence.
       */
      fee_total: number;
      /**
       * Format: int64
       * @description Sum of the taxes of `paid` and `refunded` orders, in pence.
       */
      tax_total: number;
      /**
       * Format: int64
       * @description Sum of the `confirmed` refunds, of orders in any state and without an order, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description `confirmed` payments less `confirmed` refunds, of orders in any state and without an order, in pence: the money that was received.
       */
      net: number;
      /**
       * Format: int64
       * @description Sum of the recorded balance payments, in pence; 0 for a date.
       */
      balance_paid_total: number;
      /**
       * Format: int64
       * @description Sum of the recorded balance refunds, in pence; 0 for a date.
       */
      balance_refunded_total: number;
    };
    /** @description A price reduction for tickets of an event. */
    Discount: {
      /**
       * Format: int64
       * @description Discount id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /** @description Name of the discount. */
      name: string | null;
      /** @description Code that the buyer enters; null if the discount applies automatically. */
      code: string | null;
      /**
       * @description Whether `percent` or `amount` is taken off.
       * @enum {string}
       */
      type: "percent" | "amount";
      /** @description Percent of the price, 0 to 100. */
      percent: number | null;
      /**
       * Format: int64
       * @description Amount off each ticket, in pence.
       */
      amount: number | null;
      /** @description Ids of the ticket categories that the discount applies to; empty for all. */
      ticket_category_ids: number[];
      /** @description Ids of the event dates that the discount applies to; empty for all. */
      date_ids: number[];
      /** @description Start of validity, ISO 8601, if set. */
      start_date: string | null;
      /** @description End of validity, ISO 8601, if set. */
      end_date: string | null;
      /**
       * Format: int64
       * @description Maximum number of uses in total, if set.
       */
      usage_limit: number | null;
      /**
       * Format: int64
       * @description Number of uses so far.
       */
      times_used: number;
      /**
       * Format: int64
       * @description Minimum number of tickets in the order, if set.
       */
      minimum_per_order: number | null;
      /** @description True while the discount may be used. */
      active: boolean;
      /** @description Creation time, ISO 8601. */
      date_created: string | null;
    };
    /** @description The latest change of a resource. */
    DiscountChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "discount";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["Discount"] | null;
    };
    /** @description One page of the list. */
    DiscountPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Discount"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description An event that tickets are sold for: the root of the data. */
    Event: {
      /**
       * Format: int64
       * @description Numeric event id, used in other endpoints.
       */
      id: number;
      /** @description URL slug of the event. */
      tag: string;
      /** @description Event name. */
      name: string;
      /**
       * Format: int64
       * @description Id of the key's organisation.
       */
      organisation_id: number;
      /** @description Event type, in the organisation's own words. */
      type: string | null;
      /** @description Event description. */
      description: string | null;
      /** @description Creation time, ISO 8601. Without an offset it counts as UTC. */
      date_created: string | null;
      /** @description What the organisation's core system calls the event's time zone, usually an IANA name. */
      time_zone_id: string | null;
      /**
       * Format: int64
       * @description Id of the linked venue.
       */
      venue_id: number | null;
      /**
       * Format: int64
       * @description Id of the linked tour.
       */
      tour_id: number | null;
      /** @description Display symbol of the event's currency. */
      currency_symbol: string | null;
      /** @description True when the event is hidden from listings. A program that publishes events or dates must leave it out. */
      unlisted: boolean | null;
      /** @description True when the event is private. A program that publishes events or dates must leave it out. */
      private: boolean | null;
      /** @description True when ticketing is on. */
      ticketing_enabled: boolean | null;
      /** @description True when buying is currently open. */
      buying_enabled: boolean | null;
      /** @description ISO 4217 code of the event's currency; null if unknown. */
      currency: string | null;
    };
    /** @description The latest change of a resource. */
    EventChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "event";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["Event"] | null;
    };
    /** @description One performance of an event. Ask your organisation how it marks a cancelled one: it may delete it, or use `suspend` or a `time_type`. */
    EventDate: {
      /**
       * Format: int64
       * @description Date id, used in the Dates endpoints.
       */
      id: number;
      /**
       * Format: int64
       * @description Parent event id.
       */
      event_id: number;
      /** @description Start date and time, ISO 8601. Without an offset it is ordered as UTC, a date alone as midnight UTC. */
      date: string;
      /** @description End date and time, ISO 8601, if set. Ask your organisation whether a date alone is the last day or the day after it. */
      end_date: string | null;
      /**
       * Format: int64
       * @description How the time is interpreted: a code of the organisation's core system. Ask your organisation what it means.
       */
      time_type: number;
      /** @description Optional name of the performance. */
      name: string | null;
      /** @description True when the date is sold out. */
      sold_out: boolean | null;
      /** @description True when sales are suspended, which does not mean that the date is cancelled. */
      suspend: boolean | null;
    };
    /** @description The latest change of a resource. */
    EventDateChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "event_date";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["EventDate"] | null;
    };
    /** @description One page of the list. */
    EventPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Event"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description A date with the event, if `expand` names it. */
    ExpandedEventDate: {
      /**
       * Format: int64
       * @description Date id, used in the Dates endpoints.
       */
      id: number;
      /**
       * Format: int64
       * @description Parent event id.
       */
      event_id: number;
      /** @description Start date and time, ISO 8601. Without an offset it is ordered as UTC, a date alone as midnight UTC. */
      date: string;
      /** @description End date and time, ISO 8601, if set. Ask your organisation whether a date alone is the last day or the day after it. */
      end_date: string | null;
      /**
       * Format: int64
       * @description How the time is interpreted: a code of the organisation's core system. Ask your organisation what it means.
       */
      time_type: number;
      /** @description Optional name of the performance. */
      name: string | null;
      /** @description True when the date is sold out. */
      sold_out: boolean | null;
      /** @description True when sales are suspended, which does not mean that the date is cancelled. */
      suspend: boolean | null;
      /** @description The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted. */
      event?: components["schemas"]["Event"] | null;
    };
    /** @description One page of the list. */
    ExpandedEventDatePage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["ExpandedEventDate"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description An order with what `expand` names. */
    ExpandedOrder: {
      /**
       * Format: int64
       * @description Order id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date.
       */
      date_id: number;
      /** @description Order reference that the buyer sees. */
      reference: string;
      /**
       * @description State of the order. Summaries count `paid` and `refunded` orders.
       * @enum {string}
       */
      status: "pending" | "paid" | "cancelled" | "expired" | "refunded";
      /** @description When the order was placed, ISO 8601. Without an offset it counts as UTC. */
      date_created: string;
      /** @description Time of the last change, in the organisation's core system or through this API. */
      date_modified: string;
      /** @description When the order was cancelled, if it was. */
      date_cancelled: string | null;
      /** @description First name of the buyer. */
      first_name: string | null;
      /** @description Last name of the buyer. */
      last_name: string | null;
      /** @description E-mail address of the buyer. */
      email: string | null;
      /** @description Telephone number of the buyer. */
      phone: string | null;
      /**
       * Format: int64
       * @description Sum of the tickets' prices before discounts, in pence.
       */
      subtotal: number;
      /**
       * Format: int64
       * @description Sum of the discounts, in pence.
       */
      discount_total: number;
      /**
       * Format: int64
       * @description Sum of the fees, in pence.
       */
      fee_total: number;
      /**
       * Format: int64
       * @description Sum of the taxes, in pence.
       */
      tax_total: number;
      /**
       * Format: int64
       * @description Total price of the order, in pence.
       */
      total: number;
      /**
       * Format: int64
       * @description Amount paid so far, in pence.
       */
      paid_total: number;
      /**
       * Format: int64
       * @description Amount refunded so far, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description Amount still to be paid, in pence.
       */
      balance: number;
      /** @description Display symbol of the currency. */
      currency_symbol: string | null;
      /** @description ISO 4217 code of the currency; null if unknown. */
      currency: string | null;
      /**
       * Format: int64
       * @description Id of the discount used, if any.
       */
      discount_id: number | null;
      /** @description Discount code that the buyer entered, if any. */
      discount_code: string | null;
      /** @description Method of payment, in the organisation's own words. */
      payment_method: string | null;
      /** @description Sales channel, in the organisation's own words. */
      source: string | null;
      /** @description Note of the back office. */
      admin_note: string | null;
      /** @description The first 100 rows of `GET /v1/orders/{id}/tickets`, only with `expand=tickets`. */
      tickets?: components["schemas"]["Ticket"][];
      /** @description Present, and true, only if the order has more tickets. `GET /v1/orders/{id}/tickets` lists all of them. */
      has_more_tickets?: boolean;
      /** @description The first 100 rows of `GET /v1/orders/{id}/payments`, only with `expand=payments`. */
      payments?: components["schemas"]["Payment"][];
      /** @description Present, and true, only if the order has more payments. `GET /v1/orders/{id}/payments` lists all of them. */
      has_more_payments?: boolean;
      /** @description The first 100 rows of `GET /v1/orders/{id}/attendees`, only with `expand=attendees`. */
      attendees?: components["schemas"]["Attendee"][];
      /** @description Present, and true, only if the order has more attendees. `GET /v1/orders/{id}/attendees` lists all of them. */
      has_more_attendees?: boolean;
      /** @description The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted. */
      event?: components["schemas"]["Event"] | null;
      /** @description The resource of `date_id`, only with `expand=date`; null if it does not exist or was deleted. */
      date?: components["schemas"]["EventDate"] | null;
      /** @description The resource of `discount_id`, only with `expand=discount`; null if it does not exist or was deleted. */
      discount?: components["schemas"]["Discount"] | null;
    };
    /** @description One page of the list. */
    ExpandedOrderPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["ExpandedOrder"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description A ticket with the resources that `expand` names. */
    ExpandedTicket: {
      /**
       * Format: int64
       * @description Ticket id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the ticket's order.
       */
      order_id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date.
       */
      date_id: number;
      /**
       * Format: int64
       * @description Id of the ticket category, which has the ticket's name.
       */
      ticket_category_id: number;
      /**
       * Format: int64
       * @description Id of the attendee, if one is named.
       */
      attendee_id: number | null;
      /**
       * @description Only `valid` tickets admit. Summaries count those of `paid` and `refunded` orders.
       * @enum {string}
       */
      status: "valid" | "void" | "refunded";
      /**
       * Format: int64
       * @description Price charged, in pence.
       */
      price: number;
      /**
       * Format: int64
       * @description Price before discount, in pence.
       */
      original_price: number;
      /**
       * Format: int64
       * @description Id of the discount applied, if any.
       */
      discount_id: number | null;
      /** @description Content of the ticket's barcode, if it has one. */
      barcode: string | null;
      /** @description Seat, if seats are numbered. */
      seat: string | null;
      /** @description True when the ticket was checked in at the door. */
      checked_in: boolean;
      /** @description When it was checked in, if it was. */
      date_checked_in: string | null;
      /** @description Creation time, ISO 8601. */
      date_created: string;
      /** @description Time of the last change, ISO 8601. */
      date_modified: string;
      /** @description When it was voided, if it was. */
      date_voided: string | null;
      /** @description The resource of `order_id`, only with `expand=order`; null if it does not exist or was deleted. */
      order?: components["schemas"]["Order"] | null;
      /** @description The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted. */
      event?: components["schemas"]["Event"] | null;
      /** @description The resource of `date_id`, only with `expand=date`; null if it does not exist or was deleted. */
      date?: components["schemas"]["EventDate"] | null;
      /** @description The resource of `ticket_category_id`, only with `expand=ticket_category`; null if it does not exist or was deleted. */
      ticket_category?: components["schemas"]["TicketCategory"] | null;
      /** @description The resource of `attendee_id`, only with `expand=attendee`; null if it does not exist or was deleted. */
      attendee?: components["schemas"]["Attendee"] | null;
    };
    /** @description One page of the list. */
    ExpandedTicketPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["ExpandedTicket"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description One invalid value, identified by `parameter` or `pointer`. */
    InvalidValue: {
      /** @description Name of the invalid query parameter or header. */
      parameter?: string;
      /** @description JSON pointer (RFC 6901) to the invalid member of the body. */
      pointer?: string;
      /** @description Why the value is invalid, for the client's developer. */
      detail: string;
    };
    /** @description The data of a message without changes. */
    MessageData: {
      /**
       * Format: int64
       * @description The webhook's organisation.
       */
      organisation_id: number;
    };
    /** @description A buyer's order for one date of an event. */
    Order: {
      /**
       * Format: int64
       * @description Order id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date.
       */
      date_id: number;
      /** @description Order reference that the buyer sees. */
      reference: string;
      /**
       * @description State of the order. Summaries count `paid` and `refunded` orders.
       * @enum {string}
       */
      status: "pending" | "paid" | "cancelled" | "expired" | "refunded";
      /** @description When the order was placed, ISO 8601. Without an offset it counts as UTC. */
      date_created: string;
      /** @description Time of the last change, in the organisation's core system or through this API. */
      date_modified: string;
      /** @description When the order was cancelled, if it was. */
      date_cancelled: string | null;
      /** @description First name of the buyer. */
      first_name: string | null;
      /** @description Last name of the buyer. */
      last_name: string | null;
      /** @description E-mail address of the buyer. */
      email: string | null;
      /** @description Telephone number of the buyer. */
      phone: string | null;
      /**
       * Format: int64
       * @description Sum of the tickets' prices before discounts, in pence.
       */
      subtotal: number;
      /**
       * Format: int64
       * @description Sum of the discounts, in pence.
       */
      discount_total: number;
      /**
       * Format: int64
       * @description Sum of the fees, in pence.
       */
      fee_total: number;
      /**
       * Format: int64
       * @description Sum of the taxes, in pence.
       */
      tax_total: number;
      /**
       * Format: int64
       * @description Total price of the order, in pence.
       */
      total: number;
      /**
       * Format: int64
       * @description Amount paid so far, in pence.
       */
      paid_total: number;
      /**
       * Format: int64
       * @description Amount refunded so far, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description Amount still to be paid, in pence.
       */
      balance: number;
      /** @description Display symbol of the currency. */
      currency_symbol: string | null;
      /** @description ISO 4217 code of the currency; null if unknown. */
      currency: string | null;
      /**
       * Format: int64
       * @description Id of the discount used, if any.
       */
      discount_id: number | null;
      /** @description Discount code that the buyer entered, if any. */
      discount_code: string | null;
      /** @description Method of payment, in the organisation's own words. */
      payment_method: string | null;
      /** @description Sales channel, in the organisation's own words. */
      source: string | null;
      /** @description Note of the back office. */
      admin_note: string | null;
    };
    /** @description The latest change of a resource. */
    OrderChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "order";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["Order"] | null;
    };
    /** @description One page of the list. */
    OrderPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Order"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description Changes to an order. */
    OrderUpdate: {
      /** @description The new note, up to 5000 characters; null removes the note. */
      admin_note: string | null;
    };
    /** @description An order with its tickets, and what `expand` names. */
    OrderWithTickets: {
      /**
       * Format: int64
       * @description Order id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date.
       */
      date_id: number;
      /** @description Order reference that the buyer sees. */
      reference: string;
      /**
       * @description State of the order. Summaries count `paid` and `refunded` orders.
       * @enum {string}
       */
      status: "pending" | "paid" | "cancelled" | "expired" | "refunded";
      /** @description When the order was placed, ISO 8601. Without an offset it counts as UTC. */
      date_created: string;
      /** @description Time of the last change, in the organisation's core system or through this API. */
      date_modified: string;
      /** @description When the order was cancelled, if it was. */
      date_cancelled: string | null;
      /** @description First name of the buyer. */
      first_name: string | null;
      /** @description Last name of the buyer. */
      last_name: string | null;
      /** @description E-mail address of the buyer. */
      email: string | null;
      /** @description Telephone number of the buyer. */
      phone: string | null;
      /**
       * Format: int64
       * @description Sum of the tickets' prices before discounts, in pence.
       */
      subtotal: number;
      /**
       * Format: int64
       * @description Sum of the discounts, in pence.
       */
      discount_total: number;
      /**
       * Format: int64
       * @description Sum of the fees, in pence.
       */
      fee_total: number;
      /**
       * Format: int64
       * @description Sum of the taxes, in pence.
       */
      tax_total: number;
      /**
       * Format: int64
       * @description Total price of the order, in pence.
       */
      total: number;
      /**
       * Format: int64
       * @description Amount paid so far, in pence.
       */
      paid_total: number;
      /**
       * Format: int64
       * @description Amount refunded so far, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description Amount still to be paid, in pence.
       */
      balance: number;
      /** @description Display symbol of the currency. */
      currency_symbol: string | null;
      /** @description ISO 4217 code of the currency; null if unknown. */
      currency: string | null;
      /**
       * Format: int64
       * @description Id of the discount used, if any.
       */
      discount_id: number | null;
      /** @description Discount code that the buyer entered, if any. */
      discount_code: string | null;
      /** @description Method of payment, in the organisation's own words. */
      payment_method: string | null;
      /** @description Sales channel, in the organisation's own words. */
      source: string | null;
      /** @description Note of the back office. */
      admin_note: string | null;
      /** @description The order's tickets, ordered by id: all of them, or as many as fit into 3 MB, about 5,000. */
      tickets: components["schemas"]["Ticket"][];
      /** @description Present, and true, only if the order has more tickets. `GET /v1/orders/{id}/tickets` lists all of them. */
      has_more_tickets?: boolean;
      /** @description The first 100 rows of `GET /v1/orders/{id}/payments`, only with `expand=payments`. */
      payments?: components["schemas"]["Payment"][];
      /** @description Present, and true, only if the order has more payments. `GET /v1/orders/{id}/payments` lists all of them. */
      has_more_payments?: boolean;
      /** @description The first 100 rows of `GET /v1/orders/{id}/attendees`, only with `expand=attendees`. */
      attendees?: components["schemas"]["Attendee"][];
      /** @description Present, and true, only if the order has more attendees. `GET /v1/orders/{id}/attendees` lists all of them. */
      has_more_attendees?: boolean;
      /** @description The resource of `event_id`, only with `expand=event`; null if it does not exist or was deleted. */
      event?: components["schemas"]["Event"] | null;
      /** @description The resource of `date_id`, only with `expand=date`; null if it does not exist or was deleted. */
      date?: components["schemas"]["EventDate"] | null;
      /** @description The resource of `discount_id`, only with `expand=discount`; null if it does not exist or was deleted. */
      discount?: components["schemas"]["Discount"] | null;
    };
    /** @description Position of this page in the list. */
    Pagination: {
      /**
       * Format: int64
       * @description The request's `per_page`, or the default.
       */
      per_page: number;
      /** @description True if another page follows. */
      has_more: boolean;
      /** @description The `cursor` for the next page; null on the last page. */
      next_cursor: string | null;
    };
    /** @description A payment from a buyer, or a refund to one. */
    Payment: {
      /**
       * Format: int64
       * @description Payment id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the order, if any.
       */
      order_id: number | null;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date, if any.
       */
      date_id: number | null;
      /**
       * @description Direction of the money.
       * @enum {string}
       */
      type: "payment" | "refund";
      /**
       * @description State of the payment. Only `confirmed` payments count in summaries.
       * @enum {string}
       */
      status: "pending" | "confirmed" | "failed" | "cancelled";
      /**
       * Format: int64
       * @description Amount in pence; never negative.
       */
      amount: number;
      /** @description Method of payment, in the organisation's own words. */
      method: string | null;
      /** @description Payment provider, in the organisation's own words. */
      provider: string | null;
      /** @description Reference at the provider. */
      external_reference: string | null;
      /**
       * Format: int64
       * @description For a refund, the id of the refunded payment, if known.
       */
      refunded_payment_id: number | null;
      /** @description Reason for the refund or failure. */
      reason: string | null;
      /** @description Creation time, ISO 8601. */
      date_created: string;
      /** @description When the payment was confirmed, failed or was cancelled. */
      date_completed: string | null;
    };
    /** @description The latest change of a resource. */
    PaymentChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "payment";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["Payment"] | null;
    };
    /** @description One page of the list. */
    PaymentPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Payment"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description An error, as RFC 9457 problem details. */
    Problem: {
      /**
       * @description Always `about:blank`; use `code` to distinguish errors.
       * @constant
       */
      type: "about:blank";
      /** @description Name of the HTTP status. */
      title: string;
      /**
       * Format: int64
       * @description The HTTP status.
       */
      status: number;
      /**
       * @description The kind of error. Stable, for programs.
       * @enum {string}
       */
      code:
        | "invalid_request"
        | "unauthorized"
        | "forbidden"
        | "not_found"
        | "method_not_allowed"
        | "conflict"
        | "cursor_expired"
        | "precondition_failed"
        | "payload_too_large"
        | "unsupported_media_type"
        | "expectation_failed"
        | "idempotency_mismatch"
        | "rate_limited"
        | "internal_error"
        | "service_unavailable";
      /** @description The cause, for the client's developer. The wording may change. */
      detail: string;
      /** @description Only with `invalid_request`: the first 20 invalid values. */
      errors?: components["schemas"]["InvalidValue"][];
      /**
       * Format: int64
       * @description Number of further invalid values, if any.
       */
      more_errors?: number;
      /** @description Only with `forbidden`: the scope that the key lacks. */
      required_scope?: components["schemas"]["Scope"];
      /** @description Only with `conflict` of `createApiKey`: the key that an earlier request with this `Idempotency-Key` created. */
      key_id?: string;
      /** @description Quote this id when you ask for help. Also in `X-Request-Id`. */
      request_id: string;
    };
    /** @description Above these numbers requests return 429. */
    RateLimit: {
      /**
       * Format: int64
       * @description Requests in a window with this key.
       */
      requests: number;
      /**
       * Format: int64
       * @description Requests in a window with all keys of the organisation.
       */
      organisation_requests: number;
      /**
       * Format: int64
       * @description Length of a window.
       */
      seconds: number;
    };
    /** @description The webhook was off for more than 30 days, so deletions may be missing. Copy everything anew. */
    RestartMessage: {
      /**
       * @description The kind of message. Ignore kinds that you do not know.
       * @constant
       */
      type: "restart";
      /**
       * Format: date-time
       * @description When the message was sent.
       */
      timestamp: string;
      data: components["schemas"]["MessageData"];
    };
    /**
     * @description `read`: every read endpoint; every key has it. `write:balance_payments`: recording balance payments and refunds. `write:orders`: updating an order's admin note.
     * @enum {string}
     */
    Scope: "read" | "write:balance_payments" | "write:orders";
    /** @description The sales of an event or of one date, kept up to date as orders, tickets and payments change. */
    Summary: {
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date; null in the summary of a whole event.
       */
      date_id: number | null;
      /**
       * Format: int64
       * @description Number of `paid` and `refunded` orders, in all currencies.
       */
      orders_count: number;
      /**
       * Format: int64
       * @description Number of `valid` tickets of `paid` and `refunded` orders, in all currencies.
       */
      tickets_sold: number;
      /**
       * Format: int64
       * @description Number of people that these tickets admit.
       */
      people: number;
      /**
       * Format: int64
       * @description Number of these tickets that are checked in.
       */
      checked_in_count: number;
      /**
       * Format: int64
       * @description Sum of the `original_price`, before discounts, of the `valid` tickets of `paid` and `refunded` orders, in pence.
       */
      gross: number;
      /**
       * Format: int64
       * @description Sum of the discounts of `paid` and `refunded` orders, in pence.
       */
      discount_total: number;
      /**
       * Format: int64
       * @description Sum of the fees of `paid` and `refunded` orders, in pence.
       */
      fee_total: number;
      /**
       * Format: int64
       * @description Sum of the taxes of `paid` and `refunded` orders, in pence.
       */
      tax_total: number;
      /**
       * Format: int64
       * @description Sum of the `confirmed` refunds, of orders in any state and without an order, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description `confirmed` payments less `confirmed` refunds, of orders in any state and without an order, in pence: the money that was received.
       */
      net: number;
      /**
       * Format: int64
       * @description Sum of the recorded balance payments, in pence; 0 for a date.
       */
      balance_paid_total: number;
      /**
       * Format: int64
       * @description Sum of the recorded balance refunds, in pence; 0 for a date.
       */
      balance_refunded_total: number;
      /** @description Display symbol of the event's currency. All amounts outside `other_currencies` are in this currency. */
      currency_symbol: string | null;
      /** @description ISO 4217 code of the event's currency; null if unknown. If the event has no code, and all amounts are in one currency, these fields name that currency. */
      currency: string | null;
      /**
       * Format: date-time
       * @description When these numbers last changed.
       */
      date_generated: string;
      /** @description Each ticket category with such a ticket, ordered by id. */
      ticket_categories: components["schemas"]["CategorySummary"][];
      /** @description The amounts of orders and balance payments in other currencies, which no other field includes, ordered by code or symbol. */
      other_currencies: components["schemas"]["CurrencySummary"][];
    };
    /** @description Somebody tests the webhook. Do nothing. */
    TestMessage: {
      /**
       * @description The kind of message. Ignore kinds that you do not know.
       * @constant
       */
      type: "test";
      /**
       * Format: date-time
       * @description When the message was sent.
       */
      timestamp: string;
      data: components["schemas"]["MessageData"];
    };
    /** @description A ticket of an order: admission to one event date in one ticket category. */
    Ticket: {
      /**
       * Format: int64
       * @description Ticket id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the ticket's order.
       */
      order_id: number;
      /**
       * Format: int64
       * @description Id of the event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description Id of the event date.
       */
      date_id: number;
      /**
       * Format: int64
       * @description Id of the ticket category, which has the ticket's name.
       */
      ticket_category_id: number;
      /**
       * Format: int64
       * @description Id of the attendee, if one is named.
       */
      attendee_id: number | null;
      /**
       * @description Only `valid` tickets admit. Summaries count those of `paid` and `refunded` orders.
       * @enum {string}
       */
      status: "valid" | "void" | "refunded";
      /**
       * Format: int64
       * @description Price charged, in pence.
       */
      price: number;
      /**
       * Format: int64
       * @description Price before discount, in pence.
       */
      original_price: number;
      /**
       * Format: int64
       * @description Id of the discount applied, if any.
       */
      discount_id: number | null;
      /** @description Content of the ticket's barcode, if it has one. */
      barcode: string | null;
      /** @description Seat, if seats are numbered. */
      seat: string | null;
      /** @description True when the ticket was checked in at the door. */
      checked_in: boolean;
      /** @description When it was checked in, if it was. */
      date_checked_in: string | null;
      /** @description Creation time, ISO 8601. */
      date_created: string;
      /** @description Time of the last change, ISO 8601. */
      date_modified: string;
      /** @description When it was voided, if it was. */
      date_voided: string | null;
    };
    /** @description A kind of ticket of an event, with its price. */
    TicketCategory: {
      /**
       * Format: int64
       * @description Category id; equals `ticket_category_id` on order tickets.
       */
      id: number;
      /** @description Category name. */
      name: string | null;
      /** @description Optional description. */
      description: string | null;
      /**
       * Format: int64
       * @description Price per ticket in pence.
       */
      price: number;
      /**
       * Format: int64
       * @description Number of people one ticket of this category admits.
       */
      people: number;
      /**
       * Format: int64
       * @description Display order within the event, lowest first.
       */
      sort_index: number;
      /**
       * Format: int64
       * @description Maximum number of tickets of this category per order, if set.
       */
      limit: number | null;
      /**
       * Format: int64
       * @description Minimum number of tickets required per order, if set.
       */
      minimum_per_order: number | null;
      /** @description True when the category is hidden from buyers. */
      hidden: boolean;
    };
    /** @description The latest change of a resource. */
    TicketCategoryChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "ticket_category";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      /**
       * Format: int64
       * @description Id of the category's event; null if it was deleted.
       */
      event_id: number | null;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["TicketCategory"] | null;
    };
    /** @description One page of the list. */
    TicketCategoryPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["TicketCategory"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description The latest change of a resource. */
    TicketChange: {
      /**
       * @description The kind of resource. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: "ticket";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
      /** @description The resource as it is now; null if it was deleted. */
      data: components["schemas"]["Ticket"] | null;
    };
    /** @description One page of the list. */
    TicketPage: {
      /** @description The rows of this page, in the list's order. */
      data: components["schemas"]["Ticket"][];
      pagination: components["schemas"]["Pagination"];
    };
    /** @description Which resource changed. Read it with an API key. */
    WebhookChange: {
      /**
       * @description The kind of resource.
       * @enum {string}
       */
      type:
        | "event"
        | "event_date"
        | "ticket_category"
        | "order"
        | "ticket"
        | "payment"
        | "discount"
        | "attendee"
        | "balance_payment";
      /**
       * Format: int64
       * @description The resource's id.
       */
      id: number;
      /**
       * Format: int64
       * @description Only of the types `ticket_category` and `balance_payment`, which are read as lists of their event; null if it was deleted.
       */
      event_id?: number | null;
      change: components["schemas"]["ChangeKind"];
      /**
       * Format: date-time
       * @description When this service accepted the change.
       */
      changed_at: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The API key that made the request, without its secret. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CallingKey"];
        };
      };
    };
  };
  listChanges: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
        /** @description The types to list, comma-separated: event, event_date, ticket_category, order, ticket, payment, discount, attendee, balance_payment. By default all. A cursor is for the types of its page. */
        types?: (
          | "event"
          | "event_date"
          | "ticket_category"
          | "order"
          | "ticket"
          | "payment"
          | "discount"
          | "attendee"
          | "balance_payment"
        )[];
        /** @description Only the changes that this service accepted at this time or later, at most 30 days ago. `cursor` alone leads to the next page; beside it, a start later than that of the first page gets 400. */
        changed_since?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of changes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChangesPage"];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventPage"];
        };
      };
    };
  };
  getEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An event that tickets are sold for: the root of the data. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Event"];
        };
      };
    };
  };
  listEventDates: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
        /** @description What to include, comma-separated: event. It may lack changes of the last second. */
        expand?: "event"[];
      };
      header?: never;
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpandedEventDatePage"];
        };
      };
    };
  };
  listEventTicketCategories: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketCategoryPage"];
        };
      };
    };
  };
  listEventDiscounts: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DiscountPage"];
        };
      };
    };
  };
  listEventPayments: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PaymentPage"];
        };
      };
    };
  };
  listEventBalancePayments: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BalancePaymentPage"];
        };
      };
    };
  };
  recordBalancePayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description A unique text of your choice for each new request, up to 255 characters. A retry with the same key within 24 hours gets the first response, with `Idempotency-Replayed: true`. */
        "Idempotency-Key"?: string;
      };
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BalancePaymentInput"];
      };
    };
    responses: {
      /** @description An external payment or refund recorded against an event's balance. It never changes. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BalancePayment"];
        };
      };
    };
  };
  getEventSummary: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the event. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sales of an event or of one date, kept up to date as orders, tickets and payments change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Summary"];
        };
      };
    };
  };
  listDates: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
        /** @description Only dates that start at this time or later, ISO 8601. Without an offset it counts as UTC. */
        from?: string;
        /** @description Only dates that start before this time, ISO 8601. Without an offset it counts as UTC. */
        to?: string;
        /** @description What to include, comma-separated: event. It may lack changes of the last second. */
        expand?: "event"[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpandedEventDatePage"];
        };
      };
    };
  };
  getDate: {
    parameters: {
      query?: {
        /** @description What to include, comma-separated: event. It may lack changes of the last second. */
        expand?: "event"[];
      };
      header?: never;
      path: {
        /** @description Id of the date. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A date with the event, if `expand` names it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpandedEventDate"];
        };
      };
    };
  };
  listDateOrders: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the date. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OrderPage"];
        };
      };
    };
  };
  listDateTickets: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
        /** @description What to include, comma-separated: order, event, date, ticket_category, attendee. It may lack changes of the last second. */
        expand?: ("order" | "event" | "date" | "ticket_category" | "attendee")[];
      };
      header?: never;
      path: {
        /** @description Id of the date. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpandedTicketPage"];
        };
      };
    };
  };
  listDateAttendees: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the date. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttendeePage"];
        };
      };
    };
  };
  getDateSummary: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the date. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sales of an event or of one date, kept up to date as orders, tickets and payments change. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Summary"];
        };
      };
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
        /** @description Only orders with this reference, in upper or lower case. */
        reference?: string;
        /** @description Only orders whose buyer has this e-mail address, in upper or lower case. Not with `reference`. */
        email?: string;
        /** @description What to include, comma-separated: tickets, payments, attendees, event, date, discount. It may lack changes of the last second. With tickets, payments or attendees, a page may have fewer orders than `per_page`. */
        expand?: ("tickets" | "payments" | "attendees" | "event" | "date" | "discount")[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpandedOrderPage"];
        };
      };
    };
  };
  getOrder: {
    parameters: {
      query?: {
        /** @description What to include, comma-separated: tickets, payments, attendees, event, date, discount. It may lack changes of the last second. The tickets are always included. */
        expand?: ("tickets" | "payments" | "attendees" | "event" | "date" | "discount")[];
      };
      header?: never;
      path: {
        /** @description Id of the order. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An order with its tickets, and what `expand` names. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OrderWithTickets"];
        };
      };
    };
  };
  updateOrder: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of the resource as you read it. If the resource has changed since, the response is 412 and nothing changes. */
        "If-Match"?: string;
      };
      path: {
        /** @description Id of the order. */
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrderUpdate"];
      };
    };
    responses: {
      /** @description An order with its tickets, and what `expand` names. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OrderWithTickets"];
        };
      };
    };
  };
  listOrderTickets: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the order. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketPage"];
        };
      };
    };
  };
  listOrderAttendees: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the order. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttendeePage"];
        };
      };
    };
  };
  listOrderPayments: {
    parameters: {
      query?: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
      };
      header?: never;
      path: {
        /** @description Id of the order. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PaymentPage"];
        };
      };
    };
  };
  listTickets: {
    parameters: {
      query: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
        /** @description Only tickets with exactly this barcode. */
        barcode: string;
        /** @description What to include, comma-separated: order, event, date, ticket_category, attendee. It may lack changes of the last second. */
        expand?: ("order" | "event" | "date" | "ticket_category" | "attendee")[];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpandedTicketPage"];
        };
      };
    };
  };
  getTicket: {
    parameters: {
      query?: {
        /** @description What to include, comma-separated: order, event, date, ticket_category, attendee. It may lack changes of the last second. */
        expand?: ("order" | "event" | "date" | "ticket_category" | "attendee")[];
      };
      header?: never;
      path: {
        /** @description Id of the ticket. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A ticket with the resources that `expand` names. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpandedTicket"];
        };
      };
    };
  };
  getPayment: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the payment. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A payment from a buyer, or a refund to one. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Payment"];
        };
      };
    };
  };
  getDiscount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the discount. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A price reduction for tickets of an event. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Discount"];
        };
      };
    };
  };
  listAttendees: {
    parameters: {
      query: {
        /** @description Maximum number of rows on the page. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the previous page. Opaque. */
        cursor?: string;
        /** @description Only attendees with this e-mail address, in upper or lower case. */
        email: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One page of the list. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AttendeePage"];
        };
      };
    };
  };
  getAttendee: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the attendee. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A person who attends with a ticket. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Attendee"];
        };
      };
    };
  };
}
