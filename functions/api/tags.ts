/** The groups of operations in the document. */
export const tags = {
  Key: "The API key that makes the request.",
  Changes: "Created, changed and deleted resources in one list, for keeping a copy up to date.",
  Events: "The root of the data. An event leads to its dates, ticket categories, discounts, payments and summary.",
  Dates: "The performances of events. A date leads to its orders, tickets, attendees and summary.",
  Orders: "Buyers' orders.",
  Tickets: "The tickets of orders.",
  Payments: "Payments from buyers and refunds to them. Payments recorded against an event's balance are under Events.",
  Discounts: "Price reductions for an event's tickets.",
  Attendees: "The people who come with tickets.",
  "Key administration":
    "The operations that the Developer area uses for an organisation's super-admins. These and the webhook operations accept only ID tokens; all others accept only API keys.",
  Assistants: "The data as tools of the Model Context Protocol.",
  Webhooks: "Receivers to which the service posts the organisation's changes, for its super-admins.",
};
export type Tag = keyof typeof tags;

const methods = ["GET", "POST", "PATCH", "DELETE"] as const;

/** Sorts operations as the document shows them: by tag, then by path, the reads of a path first. */
export function inReferenceOrder<Operation extends { tag: Tag; path: string; method: (typeof methods)[number] }>(
  operations: readonly Operation[],
): Operation[] {
  const names = Object.keys(tags);
  return operations.toSorted(
    (a, b) =>
      names.indexOf(a.tag) - names.indexOf(b.tag) ||
      (a.path === b.path ? methods.indexOf(a.method) - methods.indexOf(b.method) : a.path < b.path ? -1 : 1),
  );
}
