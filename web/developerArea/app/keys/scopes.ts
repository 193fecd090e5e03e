/** The scopes, with texts for what each allows and what stops when a key is revoked. */
export const scopes = [
  {
    scope: "read",
    allows:
      "Read everything: events, dates, orders, tickets, payments, discounts, attendees and summaries. Every key has it.",
    stops: "Reading events, dates, orders, tickets, payments, discounts, attendees and summaries.",
  },
  {
    scope: "write:balance_payments",
    allows: "Record external balance payments and refunds against an event.",
    stops: "Recording external balance payments and refunds.",
  },
  {
    scope: "write:orders",
    allows: "Update the back-office admin note of an order.",
    stops: "Updating the admin notes of orders.",
  },
];
