import { hash } from "node:crypto";

/** The text is not a cursor of the list. The message says so to the client. */
export class ForeignCursor extends Error {
  override readonly name = "ForeignCursor";
}

const digestBytes = 9;

interface ListPosition {
  partition: string;
  /** Sort keys, both included. */
  range?: { from: string; to: string } | undefined;
}

/**
 * An opaque position in a list: the sort key of the last row shown, and a digest of it and of the list. The digest detects damaged cursors and
 * cursors of other lists. It is not a security measure: the partition to read always comes from the caller and the path, never from the cursor.
 */
export function encodeCursor(place: ListPosition, position: string): string {
  return Buffer.concat([digest(place, position), Buffer.from(position)]).toString("base64url");
}

/** The form of base64url with a digest and a position. */
const form = new RegExp(`^[\\w-]{${Math.ceil(((digestBytes + 1) * 4) / 3)},}$`);
/**
 * The error for what tools send instead of leaving the cursor out: nothing, `undefined`, `NaN`, `[object Object]`, `{{cursor}}`. If they got the
 * first page, a tool that pages until it has no cursor would never stop.
 */
const missingCursor = "Leave cursor out for the first page, and stop when pagination.has_more is false.";

/** The position in a cursor of this list. @throws ForeignCursor, with `detail` if the text has the form of a cursor. */
export function decodeCursor(
  list: ListPosition & { isPosition: (position: string) => boolean },
  cursor: string,
  detail = "Not a cursor of this list.",
): string {
  if (!form.test(cursor)) throw new ForeignCursor(missingCursor);
  const bytes = Buffer.from(cursor, "base64url");
  const position = bytes.subarray(digestBytes).toString();
  if (encodeCursor(list, position) !== cursor || !list.isPosition(position)) throw new ForeignCursor(detail);
  return position;
}

function digest({ partition, range }: ListPosition, position: string): Buffer {
  const parts = range ? [partition, range.from, range.to, position] : [partition, position];
  return hash("sha256", parts.join("\n"), "buffer").subarray(0, digestBytes);
}
