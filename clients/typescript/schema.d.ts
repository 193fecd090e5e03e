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
     * @description A good first call: it tells whether the key works, whose data it reads and what it may do.
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
  "/v1/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List events, most recent first
     * @description Ordered by `date_created` descending, null last, then by `id` descending.
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
     * @description Payments of buyers and refunds to them, ordered by `date_created` descending, then by `id` descending.
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
     * @description What was recorded from outside against the event's balance, ordered by `date_created` descending, then by `id` descending.
     *
     *     Needs the scope `read`, which every key has.
     */
    get: operations["listEventBalancePayments"];
    put?: never;
    /**
     * Record a balance payment or refund
     * @description Records a payment that happened elsewhere against the event's balance, or a refund of no more than what was recorded less refunds. Send an `Idempotency-Key`: with it, a retry after whatever went wrong records once, and gets the first answer again, be it a refusal.
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
     * @description Kept up to date as records change: it follows a change within seconds.
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
     * @description Ordered by `date_created` descending, then by `id` descending.
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
     * @description Who comes, with what was asked of them: a door list. Ordered by `id` ascending.
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
     * @description Kept up to date as records change: it follows a change within seconds.
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
     * List changed orders, for incremental sync
     * @description The organisation's orders in the order in which this service accepted their latest changes, oldest first. An order that changes again moves to the end. A change is shown some seconds after it was accepted; from then on, whoever goes on from a `resume_cursor` misses none. An order that is imported again unchanged is no change.
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
     * @description Sets the back office's note, or takes it away. It stays, whatever the core system says of the order later. Answers with the order as it is then.
     *
     *     Needs the scope `write:orders`.
     */
    patch: operations["updateOrder"];
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
     * @description Payments and refunds, ordered by `date_created` descending, then by `id` descending.
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
    /** @description A person who comes with a ticket. */
    Attendee: {
      /**
       * Format: int64
       * @description Attendee id.
       */
      id: number;
      /**
       * Format: int64
       * @description The order that the ticket belongs to.
       */
      order_id: number;
      /**
       * Format: int64
       * @description The ticket that the attendee holds.
       */
      ticket_id: number;
      /**
       * Format: int64
       * @description The event that the ticket is for.
       */
      event_id: number;
      /**
       * Format: int64
       * @description The event date that the ticket is for.
       */
      date_id: number;
      /**
       * Format: int64
       * @description The ticket's category.
       */
      ticket_category_id: number;
      /** @description Whether the attendee comes, in the organisation's own words. */
      status: string;
      /** @description First name. */
      first_name: string | null;
      /** @description Last name. */
      last_name: string | null;
      /** @description E-mail address. */
      email: string | null;
      /** @description Telephone number. */
      phone: string | null;
      /** @description What was asked of the attendee, with the answers. */
      answers: components["schemas"]["AttendeeAnswer"][];
      /** @description True when the attendee was seen at the door. */
      checked_in: boolean;
      /** @description When the attendee was seen at the door. */
      date_checked_in: string | null;
      /** @description When the attendee was named, ISO 8601. */
      date_created: string;
      /** @description When that was last changed, ISO 8601. */
      date_modified: string;
    };
    /** @description An answer that was given for an attendee. */
    AttendeeAnswer: {
      /**
       * Format: int64
       * @description Question id.
       */
      question_id: number;
      /** @description What was asked. */
      question: string;
      /** @description What was answered; null where nothing was. */
      answer: string | null;
    };
    /** @description An external payment or refund recorded against an event's balance. It is never changed. */
    BalancePayment: {
      /**
       * Format: int64
       * @description Balance payment id, given by this service.
       */
      id: number;
      /**
       * Format: int64
       * @description The event whose balance it is for.
       */
      event_id: number;
      /**
       * @description Which way the money went.
       * @enum {string}
       */
      type: "payment" | "refund";
      /**
       * Format: int64
       * @description How much, in pence; always positive.
       */
      amount: number;
      /** @description When it happened, ISO 8601. */
      date: string;
      /** @description How it was paid. */
      method: string | null;
      /** @description What the other system knows it by. */
      external_reference: string | null;
      /** @description A note. */
      note: string | null;
      /**
       * Format: int64
       * @description Payments less refunds recorded for the event so far, in pence.
       */
      balance_after: number;
      /** @description Display symbol of the event's currency. */
      currency_symbol: string | null;
      /** @description When it was recorded. */
      date_created: string;
      /** @description Prefix of the API key that recorded it. */
      api_key_prefix: string;
    };
    /** @description The API key that made the request. Never the secret itself. */
    CallingKey: {
      /** @description Label chosen at creation. */
      name: string;
      /** @description First 12 characters of the key, to tell keys apart. */
      prefix: string;
      /** @description Scopes granted at creation. */
      scopes: components["schemas"]["Scope"][];
      /**
       * Format: int64
       * @description The organisation whose data the key reads.
       */
      organisation_id: number;
    };
    /** @description What was sold of one ticket category. */
    CategorySummary: {
      /**
       * Format: int64
       * @description Ticket category id.
       */
      ticket_category_id: number;
      /**
       * Format: int64
       * @description Number of valid tickets of it.
       */
      tickets_sold: number;
      /**
       * Format: int64
       * @description Number of people whom these admit.
       */
      people: number;
      /**
       * Format: int64
       * @description Sum of their prices before discounts, in pence.
       */
      gross: number;
    };
    /** @description What makes tickets of an event cheaper. */
    Discount: {
      /**
       * Format: int64
       * @description Discount id.
       */
      id: number;
      /**
       * Format: int64
       * @description The event whose tickets it makes cheaper.
       */
      event_id: number;
      /** @description Name of the discount. */
      name: string | null;
      /** @description What a buyer enters for it; null where it applies by itself. */
      code: string | null;
      /**
       * @description Which of `percent` and `amount` it takes off.
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
      /** @description The ticket categories that it is for; empty for all. */
      ticket_category_ids: number[];
      /** @description The event dates that it is for; empty for all. */
      date_ids: number[];
      /** @description From when on it holds, if set. */
      start_date: string | null;
      /** @description Until when it holds, if set. */
      end_date: string | null;
      /**
       * Format: int64
       * @description How often it may be used in all, if set.
       */
      usage_limit: number | null;
      /**
       * Format: int64
       * @description How often it was used so far.
       */
      times_used: number;
      /**
       * Format: int64
       * @description How many tickets an order must have for it, if set.
       */
      minimum_per_order: number | null;
      /** @description True while it may be used. */
      active: boolean;
      /** @description When it was made, ISO 8601. */
      date_created: string | null;
    };
    /** @description The top of the data tree: what tickets are sold for. */
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
      /** @description Time zone of the event, an IANA name. */
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
      /** @description Display symbol of the currency in which the event's prices are. */
      currency_symbol: string | null;
      /** @description True when the event is hidden from listings. */
      unlisted: boolean | null;
      /** @description True when the event is private. */
      private: boolean | null;
      /** @description True when ticketing is on. */
      ticketing_enabled: boolean | null;
      /** @description True when buying is currently open. */
      buying_enabled: boolean | null;
    };
    /** @description One performance of an event. */
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
      /** @description Start date and time, ISO 8601. Without an offset it is ordered as UTC; a date alone as its midnight. */
      date: string;
      /** @description End date and time, ISO 8601, if set. */
      end_date: string | null;
      /**
       * Format: int64
       * @description How the time is interpreted, a code of the organisation's core system.
       */
      time_type: number;
      /** @description Optional name of the performance. */
      name: string | null;
      /** @description True when the date is sold out. */
      sold_out: boolean | null;
      /** @description True when sales are suspended. */
      suspend: boolean | null;
    };
    /** @description One value at fault: a `parameter` or a `pointer`. */
    InvalidValue: {
      /** @description Name of the query parameter at fault. */
      parameter?: string;
      /** @description JSON pointer (RFC 6901) to the body's member at fault. */
      pointer?: string;
      /** @description What is wrong with it, for the client's developer. */
      detail: string;
    };
    /** @description A balance payment or refund to record. */
    NewBalancePayment: {
      /**
       * @description Which way the money went.
       * @enum {string}
       */
      type: "payment" | "refund";
      /**
       * Format: int64
       * @description How much, in pence.
       */
      amount: number;
      /** @description When it happened; now, where left out. */
      date?: string;
      /** @description How it was paid. */
      method?: string;
      /** @description What your system knows it by. */
      external_reference?: string;
      /** @description A note. */
      note?: string;
    };
    /** @description What one buyer ordered for one date of an event. */
    Order: {
      /**
       * Format: int64
       * @description Order id.
       */
      id: number;
      /**
       * Format: int64
       * @description The event that it is for.
       */
      event_id: number;
      /**
       * Format: int64
       * @description The event date that it is for.
       */
      date_id: number;
      /** @description What the buyer knows the order by. */
      reference: string;
      /**
       * @description Where the order stands. `paid` and `refunded` count as orders in summaries.
       * @enum {string}
       */
      status: "pending" | "paid" | "cancelled" | "expired" | "refunded";
      /** @description When it was placed, ISO 8601. Without an offset it counts as UTC. */
      date_created: string;
      /** @description When it was last changed, in the organisation's core system or through this API. */
      date_modified: string;
      /** @description When it was cancelled, if it was. */
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
       * @description What the order costs in all, in pence.
       */
      total: number;
      /**
       * Format: int64
       * @description What was paid so far, in pence.
       */
      paid_total: number;
      /**
       * Format: int64
       * @description What was paid back so far, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description What is still to be paid, in pence.
       */
      balance: number;
      /** @description Display symbol of the currency. */
      currency_symbol: string | null;
      /** @description Id of the discount that was used, if one was. */
      discount_id: number | null;
      /** @description The code that the buyer entered for it. */
      discount_code: string | null;
      /** @description How it was paid, in the organisation's own words. */
      payment_method: string | null;
      /** @description Where it was placed, in the organisation's own words. */
      source: string | null;
      /** @description The back office's note. */
      admin_note: string | null;
    };
    /** @description What of an order is to be changed. */
    OrderUpdate: {
      /** @description The back office's note, up to 5000 characters; null takes it away. */
      admin_note: string | null;
    };
    /** @description An order with its tickets. */
    OrderWithTickets: {
      /**
       * Format: int64
       * @description Order id.
       */
      id: number;
      /**
       * Format: int64
       * @description The event that it is for.
       */
      event_id: number;
      /**
       * Format: int64
       * @description The event date that it is for.
       */
      date_id: number;
      /** @description What the buyer knows the order by. */
      reference: string;
      /**
       * @description Where the order stands. `paid` and `refunded` count as orders in summaries.
       * @enum {string}
       */
      status: "pending" | "paid" | "cancelled" | "expired" | "refunded";
      /** @description When it was placed, ISO 8601. Without an offset it counts as UTC. */
      date_created: string;
      /** @description When it was last changed, in the organisation's core system or through this API. */
      date_modified: string;
      /** @description When it was cancelled, if it was. */
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
       * @description What the order costs in all, in pence.
       */
      total: number;
      /**
       * Format: int64
       * @description What was paid so far, in pence.
       */
      paid_total: number;
      /**
       * Format: int64
       * @description What was paid back so far, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description What is still to be paid, in pence.
       */
      balance: number;
      /** @description Display symbol of the currency. */
      currency_symbol: string | null;
      /**
       * Format: int64
       * @description Id of the discount that was used, if one was.
       */
      discount_id: number | null;
      /** @description The code that the buyer entered for it. */
      discount_code: string | null;
      /** @description How it was paid, in the organisation's own words. */
      payment_method: string | null;
      /** @description Where it was placed, in the organisation's own words. */
      source: string | null;
      /** @description The back office's note. */
      admin_note: string | null;
      /** @description The tickets of the order, by id. */
      tickets: components["schemas"]["Ticket"][];
    };
    /** @description Where this page stands in its list. */
    Pagination: {
      /**
       * Format: int64
       * @description The `per_page` of the request, or its default.
       */
      per_page: number;
      /** @description True while another page follows. */
      has_more: boolean;
      /** @description The `cursor` of the next page; null on the last. */
      next_cursor: string | null;
    };
    /** @description Money from a buyer for an order, or back to one. */
    Payment: {
      /**
       * Format: int64
       * @description Payment id.
       */
      id: number;
      /**
       * Format: int64
       * @description The order that it is for, if it is for one.
       */
      order_id: number | null;
      /**
       * Format: int64
       * @description The event that it is for.
       */
      event_id: number;
      /** @description The event date that it is for, if it is for one. */
      date_id: number | null;
      /**
       * @description Which way the money went.
       * @enum {string}
       */
      type: "payment" | "refund";
      /**
       * @description Whether the money went. Only `confirmed` ones count in summaries.
       * @enum {string}
       */
      status: "pending" | "confirmed" | "failed" | "cancelled";
      /**
       * Format: int64
       * @description How much, in pence; never negative.
       */
      amount: number;
      /** @description How it was paid, in the organisation's own words. */
      method: string | null;
      /** @description Who handled it, in the organisation's own words. */
      provider: string | null;
      /** @description What the provider knows it by. */
      external_reference: string | null;
      /** @description Of a refund, the payment that it pays back. */
      refunded_payment_id: number | null;
      /** @description Why it was paid back, or failed. */
      reason: string | null;
      /** @description When it was begun, ISO 8601. */
      date_created: string;
      /** @description When it was confirmed, failed or was cancelled. */
      date_completed: string | null;
    };
    /** @description An error: problem details of RFC 9457. */
    Problem: {
      /**
       * @description Always `about:blank`: `code` tells errors apart.
       * @constant
       */
      type: "about:blank";
      /** @description The status in words. */
      title: string;
      /**
       * Format: int64
       * @description The HTTP status.
       */
      status: number;
      /**
       * @description The kind of error, for programs.
       * @enum {string}
       */
      code:
        | "invalid_request"
        | "unauthorized"
        | "forbidden"
        | "not_found"
        | "method_not_allowed"
        | "conflict"
        | "precondition_failed"
        | "payload_too_large"
        | "unsupported_media_type"
        | "expectation_failed"
        | "idempotency_mismatch"
        | "rate_limited"
        | "internal_error"
        | "service_unavailable";
      /** @description What went wrong, for the client's developer. Its wording may change. */
      detail: string;
      /** @description Only with `invalid_request`: the first 20 values at fault. */
      errors?: components["schemas"]["InvalidValue"][];
      /**
       * Format: int64
       * @description How many more values are at fault, if any.
       */
      more_errors?: number;
      /** @description Only with `forbidden`: the scope that the key lacks. */
      required_scope?: components["schemas"]["Scope"];
      /** @description Names this request when asking for help; also in `X-Request-Id`. */
      request_id: string;
    };
    /**
     * @description `read`: every read endpoint, held by every key. `write:balance_payments`: recording balance payments and refunds. `write:orders`: updating an order's admin note.
     * @enum {string}
     */
    Scope: "read" | "write:balance_payments" | "write:orders";
    /** @description What was sold, kept up to date as orders, tickets and payments change. */
    Summary: {
      /**
       * Format: int64
       * @description The event.
       */
      event_id: number;
      /**
       * Format: int64
       * @description The event date; null in the summary of a whole event.
       */
      date_id: number | null;
      /**
       * Format: int64
       * @description Number of orders that are `paid` or `refunded`.
       */
      orders_count: number;
      /**
       * Format: int64
       * @description Number of valid tickets.
       */
      tickets_sold: number;
      /**
       * Format: int64
       * @description Number of people whom these admit.
       */
      people: number;
      /**
       * Format: int64
       * @description Number of valid tickets that were shown at the door.
       */
      checked_in_count: number;
      /**
       * Format: int64
       * @description Sum of the valid tickets' prices before discounts, in pence.
       */
      gross: number;
      /**
       * Format: int64
       * @description Sum of the counted orders' discounts, in pence.
       */
      discount_total: number;
      /**
       * Format: int64
       * @description Sum of the counted orders' fees, in pence.
       */
      fee_total: number;
      /**
       * Format: int64
       * @description Sum of the counted orders' taxes, in pence.
       */
      tax_total: number;
      /**
       * Format: int64
       * @description Sum of the confirmed refunds, in pence.
       */
      refunded_total: number;
      /**
       * Format: int64
       * @description Confirmed payments less confirmed refunds, in pence.
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
      /** @description Display symbol of the event's currency. */
      currency_symbol: string | null;
      /** @description When these numbers last changed. */
      date_generated: string;
      /** @description Each ticket category of which a ticket is valid, by id. */
      ticket_categories: components["schemas"]["CategorySummary"][];
    };
    /** @description Where this page stands among the changes. */
    SyncPagination: {
      /**
       * Format: int64
       * @description The `per_page` of the request, or its default.
       */
      per_page: number;
      /** @description True while another page follows. */
      has_more: boolean;
      /** @description The `cursor` of the next page; null on the last. */
      next_cursor: string | null;
      /** @description The `cursor` to go on from after this page, tonight or next month. Keep it: it is valid for ever. */
      resume_cursor: string;
    };
    /** @description The right of one holder to enter, for one ticket category of an event's date. */
    Ticket: {
      /**
       * Format: int64
       * @description Ticket id.
       */
      id: number;
      /**
       * Format: int64
       * @description The order that it belongs to.
       */
      order_id: number;
      /**
       * Format: int64
       * @description The event that it is for.
       */
      event_id: number;
      /**
       * Format: int64
       * @description The event date that it is for.
       */
      date_id: number;
      /**
       * Format: int64
       * @description Its ticket category, by which its name is found.
       */
      ticket_category_id: number;
      /** @description The attendee who holds it, if one is named. */
      attendee_id: number | null;
      /**
       * @description Whether it opens the door. Only `valid` ones count as sold in summaries.
       * @enum {string}
       */
      status: "valid" | "void" | "refunded";
      /**
       * Format: int64
       * @description What was charged for it, in pence.
       */
      price: number;
      /**
       * Format: int64
       * @description What it costs without discount, in pence.
       */
      original_price: number;
      /** @description Id of the discount that made it cheaper, if one did. */
      discount_id: number | null;
      /** @description What its code says when it is scanned. */
      barcode: string | null;
      /** @description Its seat, if seats are numbered. */
      seat: string | null;
      /** @description True when it was shown at the door. */
      checked_in: boolean;
      /** @description When it was shown at the door. */
      date_checked_in: string | null;
      /** @description When it was made, ISO 8601. */
      date_created: string;
      /** @description When it was last changed, ISO 8601. */
      date_modified: string;
      /** @description When it was made void, if it was. */
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
      /** @description The API key that made the request. Never the secret itself. */
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
  listEvents: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Event"][];
            pagination: components["schemas"]["Pagination"];
          };
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
      /** @description The top of the data tree: what tickets are sold for. */
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
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["EventDate"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  listEventTicketCategories: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["TicketCategory"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  listEventDiscounts: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Discount"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  listEventPayments: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Payment"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  listEventBalancePayments: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["BalancePayment"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  recordBalancePayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description A text of your choice, different for every request that you mean to send, up to 255 characters. A retry with the same key within 24 hours gets the first response, with `Idempotency-Replayed: true`. */
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
        "application/json": components["schemas"]["NewBalancePayment"];
      };
    };
    responses: {
      /** @description An external payment or refund recorded against an event's balance. It is never changed. */
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
      /** @description What was sold, kept up to date as orders, tickets and payments change. */
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
  getDate: {
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
      /** @description One performance of an event. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventDate"];
        };
      };
    };
  };
  listDateOrders: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Order"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  listDateTickets: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Ticket"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  listDateAttendees: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Attendee"][];
            pagination: components["schemas"]["Pagination"];
          };
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
      /** @description What was sold, kept up to date as orders, tickets and payments change. */
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
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
        cursor?: string;
        /** @description Only changes that this service accepted at this time or later, ISO 8601. Without an offset it counts as UTC. Only for a beginning: go on with `cursor`. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Order"][];
            pagination: components["schemas"]["SyncPagination"];
          };
        };
      };
    };
  };
  getOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the order. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An order with its tickets. */
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
        /** @description The `ETag` of the state that you are changing. If it has changed since, the response is 412 and nothing changes. */
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
      /** @description An order with its tickets. */
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
  listOrderPayments: {
    parameters: {
      query?: {
        /** @description The most rows that the page may hold. */
        per_page?: number;
        /** @description `pagination.next_cursor` of the page before. Opaque. */
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
          "application/json": {
            /** @description The rows of this page, in the list's order. */
            data: components["schemas"]["Payment"][];
            pagination: components["schemas"]["Pagination"];
          };
        };
      };
    };
  };
  getTicket: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the ticket. */
        id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The right of one holder to enter, for one ticket category of an event's date. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
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
      /** @description Money from a buyer for an order, or back to one. */
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
      /** @description What makes tickets of an event cheaper. */
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
      /** @description A person who comes with a ticket. */
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
