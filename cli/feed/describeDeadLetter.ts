import * as z from "zod";
import { parseJson } from "../../functions/parseJson.ts";
import { recordTypes } from "../../functions/resources/record.ts";
import { Id } from "../../functions/resources/resourceId.ts";
import type { DeadLetter } from "./deadLetters.ts";

const withoutReason = "The consumer crashed or timed out on every attempt, so SQS gave up on the message.";

/** Only what identifies a record: the rest can be personal data. */
const Identity = z.object({
  type: z.enum(recordTypes),
  organisation_id: Id,
  id: Id.optional(),
  data: z.object({ id: Id }).optional().catch(undefined),
});

/** One line for a dead letter: time sent, feed message id, records and reason. */
export function describeDeadLetter({ sentMs, sourceMessageId, body, reason = withoutReason }: DeadLetter): string {
  const line = [new Date(sentMs).toISOString(), sourceMessageId, `${describeBody(body)}: ${reason}`].join("  ");
  // Strip control characters, which a terminal would interpret.
  return line.replaceAll(/\p{Cc}+/gu, " ");
}

function describeBody(body: string): string {
  const json = parseJson(body);
  if ("problem" in json) return "no record";
  if (!Array.isArray(json.value)) return describeRecord(json.value);
  const [first] = json.value;
  return json.value.length === 1
    ? describeRecord(first)
    : `${json.value.length} records, first ${describeRecord(first)}`;
}

function describeRecord(record: unknown): string {
  const { data: identity } = Identity.safeParse(record);
  if (!identity) return "no record";
  const { type, organisation_id, id = identity.data?.id } = identity;
  return `${type} ${id ?? "without id"} of organisation ${organisation_id}`;
}
