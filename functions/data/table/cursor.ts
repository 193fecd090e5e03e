import { createHash } from "node:crypto";
import { Problem } from "../../problem.ts";
import type { List } from "./keys.ts";

const digestBytes = 9;

/**
 * An opaque position in a list: the sort key of the last row shown, and a digest of it and of the list's partition. The digest
 * detects damaged cursors and those of other lists. It is not a security measure: the partition to read always comes from the
 * caller and the path, never from the cursor.
 */
export function encodeCursor(partition: string, sortKey: string): string {
  return Buffer.concat([digest(partition, sortKey), Buffer.from(sortKey)]).toString("base64url");
}

/**
 * The sort key in a cursor that {@link encodeCursor} made for this list.
 * @throws Problem `invalid_request` for any other text.
 */
export function decodeCursor({ partition, rowKey }: Pick<List, "partition" | "rowKey">, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const sortKey = bytes.subarray(digestBytes).toString();
  if (encodeCursor(partition, sortKey) !== cursor || !rowKey(sortKey)) {
    const detail = "Not a cursor of this list.";
    throw new Problem("invalid_request", detail, { errors: [{ parameter: "cursor", detail }] });
  }
  return sortKey;
}

function digest(partition: string, sortKey: string): Buffer {
  return createHash("sha256").update(`${partition}\n${sortKey}`).digest().subarray(0, digestBytes);
}
