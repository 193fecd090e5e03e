import * as z from "zod";
import { recordResources } from "../../../functions/resources/index.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import type { SentRecord } from "./limitRecords.ts";

/** A record with these fields, and null in all others that may be. */
export function recordOf(
  type: SentRecord["type"],
  organisation_id: number,
  fields: Record<string, unknown>,
  extraFields: Record<string, unknown> = {},
): SentRecord {
  const { schema }: Resource = recordResources[type];
  const nullable = Object.entries(schema.shape).filter(([, field]) => field instanceof z.ZodNullable);
  const data = { ...Object.fromEntries(nullable.map(([name]) => [name, null])), ...fields };
  return { type, organisation_id, ...extraFields, data };
}
