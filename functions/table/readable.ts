import type * as z from "zod";
import { logger } from "../log/logger.ts";
import { damagedItemMetric } from "../log/measurements.ts";
import type { Item } from "./item.ts";

/**
 * Reads an item of a list. A damaged item, which lacks a field or has one of another type, must hide no other: the list leaves it out, and its log
 * line raises an alarm.
 *
 * @returns undefined if the item is damaged.
 */
export function readable<Schema extends z.ZodType>(schema: Schema, item: Item): z.output<Schema> | undefined {
  const { data, error } = schema.safeParse(item);
  if (!error) return data;
  const fields = [...new Set(error.issues.map(({ path }) => path.join(".")))];
  // Without values, which may be personal data.
  logger.error("An item is damaged.", { item: { PK: item.PK, SK: item.SK }, fields, ...damagedItemMetric() });
  return undefined;
}
