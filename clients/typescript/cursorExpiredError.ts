import { TicketingError } from "./ticketingError.ts";

/**
 * The stored cursor, or `changedSince`, is so old that the service no longer shows every later deletion. Empty your copy and sync again
 * without either.
 */
export class CursorExpiredError extends TicketingError {
  override readonly name: string = "CursorExpiredError";

  /** @param cause the service's response. */
  constructor(cause: TicketingError) {
    const detail =
      "The position is too old, so deletions may be missing. Start over without a cursor and with an empty copy.";
    super(cause.status, { code: "cursor_expired", detail, ...(cause.requestId && { request_id: cause.requestId }) });
    this.cause = cause;
  }
}
