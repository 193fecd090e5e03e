import type { Change } from "../changes/change.ts";
import { changePositions, changeRepository } from "../changes/changeRepository.ts";
import { Problem } from "../problem.ts";
import { acceptedUntil } from "../records/changeTime.ts";
import type { Table } from "../table/table.ts";
import type { WebhookChange } from "./message.ts";
import { type StoredWebhook, typesOf } from "./storedWebhook.ts";

/** The changes of one message. */
export const maximumChanges = 100;

/** A message before it is signed, and the position after it. */
export interface NextMessage {
  type: "changes" | "restart";
  changes: WebhookChange[];
  hasMore: boolean;
  position: string;
}

/** @returns no message if there is nothing to send, and the position to continue from. */
export async function nextMessage(table: Table, stored: StoredWebhook, nowMs: number) {
  const { organisation_id, position: cursor } = stored;
  try {
    const query = { types: typesOf(stored), per_page: maximumChanges, cursor, changed_since: undefined };
    const { data, pagination } = await changeRepository(organisation_id, table).list(query, nowMs);
    const { has_more: hasMore, resume_cursor: position } = pagination;
    const message: NextMessage = { type: "changes", changes: data.map(withoutData), hasMore, position };
    return { message: data.length > 0 ? message : undefined, position };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "cursor_expired") throw error;
    // Deletions after the position may be missing: the receiver must copy everything again.
    const position = changePositions(organisation_id).at(typesOf(stored), await acceptedUntil(table));
    const message: NextMessage = { type: "restart", changes: [], hasMore: false, position };
    return { message, position };
  }
}

/** A change as receivers get it: its type and id, no data. */
function withoutData(change: Change): WebhookChange {
  const { data: _, ...place } = change;
  return change.type === "balance_payment" ? { ...place, event_id: change.data?.event_id ?? null } : place;
}
