import fc from "fast-check";
import { recordItem } from "../../../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { categoryRecord, dateRecord, eventRecord } from "../../support/data/records.ts";

/** Make a record of one of the types, with a name that identifies it. */
export const makers = [
  (id: number, name: string) => eventRecord(1, id, { name }),
  (id: number, name: string) => dateRecord(1, 1, id, { name }),
  (id: number, name: string) => categoryRecord(1, 1, id, { name }),
] as const;

/** Sequences in which many records share type and id, with and without versions. */
export const sequences = fc
  .array(
    fc.record({
      make: fc.constantFrom(...makers),
      // Some ids are frequent and some rare, so that some groups fill a batch.
      id: fc.integer({ min: 1, max: 100 }).map((number) => (number < 30 ? (number % 3) + 1 : number)),
      version: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 2 }),
    }),
    { maxLength: 200, size: "max" },
  )
  .map((made) => made.map(({ make, id, version }, index) => ({ ...make(id, `Record ${index}`), version })));

/** The items that such records make in sequence, as {@link dumpTable} returns them. */
export function tableOf(records: readonly InputRecord[]): Record<string, unknown>[] {
  const stored = new Map<string, InputRecord>();
  for (const record of records) {
    const key = recordItem(record).PK;
    const old = stored.get(key);
    if (record.version === undefined || !(old?.version !== undefined && old.version > record.version)) {
      stored.set(key, record);
    }
  }
  const items = [...stored.values()].map((record) => recordItem(record));
  // Undefined members are not stored.
  return JSON.parse(JSON.stringify(items.sort((one, other) => (one.PK < other.PK ? -1 : 1))));
}
