import * as z from "zod";
import { parseJson } from "../../functions/parseJson.ts";
import { Id } from "../../functions/resources/fields.ts";
import { recordTypes } from "../../functions/resources/record.ts";
import type { DeadLetter } from "./receiveAll.ts";

/** Only what identifies a record: the rest can be personal data. */
const Identity = z.object({
  type: z.enum(recordTypes),
  organisation_id: Id,
  id: Id.optional(),
  data: z.object({ id: Id }).optional().catch(undefined),
});

/** AWS's report of a failure, in each form that our queues get: a Lambda destination's record, a pipe's dead letter, events of S3 and Backup. */
const Failure = z.object({
  requestContext: z.object({ condition: z.string() }).optional(),
  context: z.object({ condition: z.string() }).optional(),
  responsePayload: z.object({ errorType: z.string() }).optional().catch(undefined),
  DDBStreamBatchInfo: z.object({ batchSize: z.int(), approximateArrivalOfFirstRecord: z.string() }).optional(),
  detail: z
    .object({
      object: z.object({ key: z.string() }).optional(),
      state: z.string().optional(),
      statusMessage: z.string().optional(),
    })
    .optional(),
});

const withoutReason = "The consumer crashed or timed out on every attempt, so SQS gave up on the message.";

/** One line for a dead letter: time sent, its id, the feed message's id if it differs, content and reason. */
export function describeDeadLetter({
  MessageId,
  Body,
  Attributes,
  MessageAttributes,
}: Omit<DeadLetter, "ReceiptHandle">): string {
  // The attributes of a message that SQS moved are its sender's, so they are ignored.
  const { reason, source_message_id } = Attributes.DeadLetterQueueSourceArn === undefined ? MessageAttributes : {};
  const origin = source_message_id?.StringValue === undefined ? "" : ` (of message ${source_message_id.StringValue})`;
  const { value } = parseJson(Body);
  const failure = Failure.safeParse(value).data ?? {};
  const reasons = reason?.StringValue ?? (reasonsOf(failure).join(", ") || withoutReason);
  const sent = new Date(Attributes.SentTimestamp).toISOString();
  const line = `${sent}  ${MessageId}${origin}  ${describeContent(value, failure)}: ${reasons}`;
  // Strip control characters, which a terminal would interpret.
  return line.replaceAll(/\p{Cc}+/gu, " ");
}

function reasonsOf({ requestContext, context, responsePayload, detail }: z.infer<typeof Failure>): string[] {
  const { state, statusMessage } = detail ?? {};
  return [requestContext?.condition, context?.condition, responsePayload?.errorType, state, statusMessage].filter(
    (one) => one !== undefined,
  );
}

function describeContent(
  value: unknown,
  { DDBStreamBatchInfo: batch, detail, requestContext }: z.infer<typeof Failure>,
) {
  if (batch) return `${batch.batchSize} changes of the table since ${batch.approximateArrivalOfFirstRecord}`;
  if (detail) return detail.object ? `file ${detail.object.key}` : "backup";
  if (requestContext) return "log lines";
  if (!Array.isArray(value)) return describeRecord(value);
  const [first] = value;
  return value.length === 1 ? describeRecord(first) : `${value.length} records, first ${describeRecord(first)}`;
}

function describeRecord(record: unknown): string {
  const { data: identity } = Identity.safeParse(record);
  if (!identity) return "no record";
  const { type, organisation_id, id = identity.data?.id } = identity;
  return `${type} ${id ?? "without id"} of organisation ${organisation_id}`;
}
