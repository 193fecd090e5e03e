import type { Item } from "../table/item.ts";
import type { ItemKey } from "../table/itemKeys.ts";
import type { Table } from "../table/table.ts";
import { updateItem, updateOf } from "../table/writes.ts";
import { acceptChange } from "./acceptChange.ts";

/** The texts of a balance payment that may name a person. */
export const personalTexts = ["external_reference", "note"] as const;

export function hasPersonalText(payment: Item): boolean {
  return personalTexts.some((name) => typeof payment[name] === "string");
}

const blank = Object.fromEntries(personalTexts.map((name) => [name, null]));
const hasText = `(${personalTexts.map((name) => `attribute_type(${name}, :text)`).join(" OR ")})`;

/**
 * Removes a balance payment's texts, and moves it to the end of the changes. Everything else stays.
 * @param isRepeated true after a failed call, which may have landed with a change time that readers are past.
 * @returns false if it has no text, or does not exist.
 */
export function blankBalancePayment(table: Table, { PK, SK }: ItemKey, isRepeated = false): Promise<boolean> {
  return acceptChange<boolean>(table, (refusal) => {
    if (refusal && !(refusal.item && hasPersonalText(refusal.item)))
      return { result: false, isRepeated, ...(refusal.item && { stored: { PK, SK } }) };
    return {
      key: { PK, SK },
      async write({ attributes, condition, values }) {
        const isBlanked = { condition: `${hasText} AND ${condition}`, values: { ...values, ":text": "S" } };
        await updateItem(table, { PK, SK }, updateOf({ set: { ...blank, ...attributes } }, isBlanked), "NONE");
        return true;
      },
    };
  });
}
