import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import type { RecordItem } from "./recordItem.ts";

/** The part of an order's write that keeps or ends the note that the API has set. */
interface NoteEnding {
  remove: readonly string[];
  condition?: string;
  values?: Record<string, string>;
}

const note = ["api_note"];
/** Only a string is greater than the empty string: null is not. */
const hasBuyer = "(first_name > :empty OR last_name > :empty OR email > :empty)";
const values = { ":empty": "" };

/**
 * A record ends the note if it says so, or if it anonymises the order: the stored order has the buyer's name or address, and the record has
 * neither.
 * @param stored the order as a refused write has found it. The condition makes the write fail if that order decides otherwise.
 */
export function noteEnding(item: RecordItem, stored: Item | undefined): NoteEnding {
  if (item.ends_note) return { remove: note };
  if (item.SK !== itemKeys.order(1, 1).SK || !isAnonymous(item)) return { remove: [] };
  return stored?.api_note !== undefined && !isAnonymous(stored)
    ? { remove: note, condition: hasBuyer, values }
    : { remove: [], condition: `(attribute_not_exists(api_note) OR NOT ${hasBuyer})`, values };
}

function isAnonymous({ first_name, last_name, email }: Item): boolean {
  return [first_name, last_name, email].every((value) => typeof value !== "string" || value === "");
}
