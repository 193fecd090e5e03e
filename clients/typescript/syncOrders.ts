import type { TicketingClient } from "./client.ts";
import type { components } from "./schema.d.ts";

/** Where a sync starts: at the stored cursor of the last sync, at a time, or by default at the first change. */
export interface SyncStart {
  /** The `resumeCursor` that you stored last. */
  cursor?: string | undefined;
  /** ISO 8601. Changes that the service accepted earlier are skipped. */
  changedSince?: string | undefined;
}

export interface ChangedOrders {
  /** Orders in their current state. An order that changes again is listed again. */
  orders: components["schemas"]["Order"][];
  /** Where the next sync starts. Store it after the orders, so that no change is missed. */
  resumeCursor: string;
}

/** Yields the changed orders page by page, up to the latest visible change. There is always at least one page, which may be empty. */
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
