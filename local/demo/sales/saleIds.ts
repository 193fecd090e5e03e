/** The next id of a type. */
export type NewId = (type: "order" | "ticket" | "payment" | "attendee" | "discount") => number;

/**
 * Counts the ids of each type, in ranges by which a person can tell one type from another. Organisations start a little apart, so that
 * some ids of one are also those of others in another.
 */
export function saleIds(organisationId: number): NewId {
  const next = {
    discount: 3_000 + 5 * organisationId,
    order: 80_000 + 100 * organisationId,
    payment: 500_000 + 100 * organisationId,
    ticket: 700_000 + 100 * organisationId,
    attendee: 900_000 + 100 * organisationId,
  };
  return (type) => next[type]++;
}
