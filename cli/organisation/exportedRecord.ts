import * as z from "zod";
import { tombstone } from "../../functions/data/records/tombstone.ts";
import { type Item, isTombstone } from "../../functions/data/table/item.ts";
import { type ItemKey, organisationIdOf } from "../../functions/data/table/keys.ts";
import { Deletion, Record as InputRecord, type RecordType } from "../../functions/resources/record.ts";

/** By the sort key of its items: a record type and its data's schema, which strips the item's other attributes. */
const types = new Map(
  InputRecord.options.map(({ shape }) => {
    const type: RecordType = shape.type.value;
    const { SK } = tombstone({ type, organisation_id: 1, id: 1, deleted: true, version: 0 });
    return [SK, { type, data: shape.data.strip() }];
  }),
);

const Beside = z.object({ record_version: z.int().optional(), event_id: z.unknown().optional() });

/**
 * The record that an item was made from, or the deletion that left this tombstone; undefined if no record makes such an item.
 *
 * @throws ZodError if the item does not match its key.
 */
export function exportedRecord({ PK, SK }: ItemKey, item: Item): InputRecord | Deletion | undefined {
  const known = types.get(SK);
  if (!known) return undefined;
  const { type, data } = known;
  const { record_version: version, event_id } = Beside.parse(item);
  const envelope = { type, organisation_id: organisationIdOf(PK), version };
  if (isTombstone(item)) return Deletion.parse({ ...envelope, id: Number(PK.split("#").at(-1)), deleted: true });
  return InputRecord.parse({ ...envelope, data: data.parse(item), ...(type === "ticket_category" && { event_id }) });
}
