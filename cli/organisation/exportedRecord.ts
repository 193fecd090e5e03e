import * as z from "zod";
import { resourceOf } from "../../functions/records/recordItem.ts";
import { Deletion, Record as InputRecord, recordTypes } from "../../functions/resources/record.ts";
import { storedForm } from "../../functions/resources/resource.ts";
import { type Item, isTombstone } from "../../functions/table/item.ts";
import { type ItemKey, organisationIdOf } from "../../functions/table/keys.ts";

const Version = z.object({ record_version: z.int().optional() });

/**
 * The record that an item was made from, or the deletion that left this tombstone; undefined if no record makes such an item.
 *
 * @throws ZodError if the item does not match its key.
 */
export function exportedRecord({ PK, SK }: ItemKey, item: Item): InputRecord | Deletion | undefined {
  const resource = resourceOf(SK);
  if (!resource || !recordTypes.some((type) => type === resource.type)) return undefined;
  const { type, schema, beside = {} } = resource;
  const envelope = { type, organisation_id: organisationIdOf(PK), version: Version.parse(item).record_version };
  if (isTombstone(item)) return Deletion.parse({ ...envelope, id: Number(PK.split("#").at(-1)), deleted: true });
  return InputRecord.parse({ ...envelope, ...z.object(beside).parse(item), data: storedForm(schema).parse(item) });
}
