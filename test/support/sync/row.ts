import assert from "node:assert/strict";
import * as z from "zod";

/** A resource in a mirror. */
export const Row = z.object({
  type: z.string(),
  id: z.int(),
  /** Only of a ticket category. */
  event_id: z.int().optional(),
  data: z.looseObject({ id: z.int() }),
});
export type Row = z.infer<typeof Row>;

const keyOf = ({ type, id }: Row) => `${type} ${String(id).padStart(16)}`;

/** The rows in one order, to compare mirrors. */
export function sortedRows(rows: Iterable<Row>): Row[] {
  return [...rows].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Compares many rows, as text, because the order of the fields counts too. The message shows only some that differ. */
export function assertSameRows(actual: Iterable<Row>, expected: Iterable<Row>): void {
  const byKey = (rows: Iterable<Row>) => new Map([...rows].map((row) => [keyOf(row), JSON.stringify(row)]));
  const [one, other] = [byKey(actual), byKey(expected)];
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter((key) => one.get(key) !== other.get(key));
  const shown = differing.slice(0, 3).map((key) => `${one.get(key)} instead of ${other.get(key)}`);
  assert.equal(differing.length, 0, `${differing.length} rows differ:\n${shown.join("\n")}`);
}
