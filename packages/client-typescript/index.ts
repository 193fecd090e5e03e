export { type TicketingClient, type TicketingClientOptions, ticketingClient } from "./client.ts";
export { recordBalancePayment } from "./recordBalancePayment.ts";
export type { Attempt, Fetch, RetryOptions, Wait } from "./retryingFetch.ts";
export type { components, operations, paths } from "./schema.ts";
export {
  type Change,
  type ChangesPage,
  type ListPath,
  paginate,
  type RowOf,
  type SyncStart,
  syncChanges,
} from "./syncChanges.ts";
export { CursorExpiredError, TicketingError } from "./ticketingError.ts";
export {
  verifyWebhook,
  type WebhookChange,
  type WebhookMessage,
  WebhookVerificationError,
} from "./verifyWebhook.ts";
