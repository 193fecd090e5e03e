export { type TicketingClient, type TicketingClientOptions, ticketingClient } from "./client.ts";
export { CursorExpiredError } from "./cursorExpiredError.ts";
export { type ListPath, paginate, type RowOf } from "./paginate.ts";
export { recordBalancePayment } from "./recordBalancePayment.ts";
export type { Fetch, Wait } from "./retryingFetch.ts";
export type { components, operations, paths } from "./schema.ts";
export { type Change, type ChangesPage, type SyncStart, syncChanges } from "./syncChanges.ts";
export { TicketingError } from "./ticketingError.ts";
