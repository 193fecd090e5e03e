import type { TicketingClient } from "./client.ts";
import type { components } from "./schema.d.ts";

/** Where a sync begins: at what was kept of the last one or, before there was one, at a time; left out, at the very first change. */
export interface SyncStart {
  /** The `resumeCursor` that was kept last. */
  cursor?: string | undefined;
  /** ISO 8601. Changes that the service accepted before it are left out. */
  changedSince?: string | undefined;
}

export interface ChangedOrders {
  /** Orders as they are now. One that was changed again comes again. */
  orders: components["schemas"]["Order"][];
  /** Where the next sync begins. Keep it once the orders are stored, and not before: then none is ever missed. */
  resumeCursor: string;
}

/** The orders that were changed, page by page, up to the latest change that is shown. There is always one page, if without orders. */
export async function* syncOrders(
  client: TicketingClient,
  { cursor, changedSince }: SyncStart = {},
): AsyncGenerator<ChangedOrders, void> {
  const start = { per_page: 200, ...(changedSince !== undefined && { changed_since: changedSince }) };
  let position = cursor;
  for (let hasMore = true; hasMore; ) {
    const query = { ...start, ...(position !== undefined && { cursor: position }) };
    const { data: page } = await client.GET("/v1/orders", { params: { query } });
    const { has_more, resume_cursor } = page.pagination;
    yield { orders: page.data, resumeCursor: resume_cursor };
    position = resume_cursor;
    hasMore = has_more;
  }
}
