import { hash } from "node:crypto";
import { Problem } from "../problem.ts";
import type { List } from "./keys.ts";

const digestBytes = 9;

/** The list, and the range if it has one, that a cursor belongs to. */
type Place = Pick<List, "partition" | "range">;

/**
 * An opaque position in a list: the sort key of the last row shown, and a digest of it and of the list. The digest detects damaged cursors and
 * those of other lists. It is not a security measure: the partition to read always comes from the caller and the path, never from the cursor.
 */
export function encodeCursor(place: Place, position: string): string {
  return Buffer.concat([digest(place, position), Buffer.from(position)]).toString("base64url");
}

/**
 * The position in a cursor that {@link encodeCursor} made for this list.
 * @throws Problem `invalid_request` for any other text.
 */
export function decodeCursor(list: Place & { isPosition: (position: string) => boolean }, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const position = bytes.subarray(digestBytes).toString();
  if (encodeCursor(list, position) !== cursor || !list.isPosition(position)) {
    const detail = "Not a cursor of this list.";
    throw new Problem("invalid_request", detail, { errors: [{ parameter: "cursor", detail }] });
  }
  return position;
}

function digest({ partition, range }: Place, position: string): Buffer {
  const parts = range ? [partition, range.from, range.to, position] : [partition, position];
  return hash("sha256", parts.join("\n"), "buffer").subarray(0, digestBytes);
}
