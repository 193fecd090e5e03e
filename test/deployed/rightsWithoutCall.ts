/** Rights that no recorded call needs. */
interface WithoutCall {
  reason: string;
  actions: readonly string[];
  /** The functions' descriptions. By default, all functions. */
  functions?: readonly string[];
}

const feed = "Stores the feed's records";
const tableStream = "Updates summaries and wakes webhooks from the table's stream";
const usage = "Counts the requests of each API key from the log";

/** The emulator makes Lambda's own calls without a request. */
const usedByLambda: readonly WithoutCall[] = [
  { reason: "Lambda writes the log.", actions: ["logs:CreateLogStream", "logs:PutLogEvents"] },
  { reason: "Lambda writes the traces.", actions: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"] },
  {
    reason: "Lambda reads the table's stream.",
    actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams"],
    functions: [tableStream],
  },
  {
    reason: "Lambda receives a queue's messages.",
    actions: ["sqs:ChangeMessageVisibility", "sqs:DeleteMessage", "sqs:ReceiveMessage"],
  },
  {
    reason: "Lambda sends what failed to a queue.",
    actions: ["sqs:SendMessage"],
    functions: [tableStream, usage],
  },
];

/** The run does not make these calls, although the service can. */
const notCalledHere: readonly WithoutCall[] = [
  {
    reason: "It reads an item to set its clock, unless an earlier read has.",
    actions: ["dynamodb:GetItem"],
    functions: [feed, "POST /v1/events/{id}/balance-payments"],
  },
  {
    reason: "The imported file has only records that are stored.",
    actions: ["dynamodb:PutItem", "dynamodb:UpdateItem"],
    functions: [feed],
  },
  {
    reason: "It makes a webhook due only if the queue refuses the wake-up.",
    actions: ["dynamodb:GetItem", "dynamodb:PutItem"],
    functions: [tableStream],
  },
  {
    reason: "It lists the balance payments of a deleted event, and no test of a stage deletes one.",
    actions: ["dynamodb:Query"],
    functions: [tableStream],
  },
  { reason: "No assistant asks for a list with parts.", actions: ["dynamodb:PartiQLSelect"], functions: ["POST /mcp"] },
];

/** Rights that are granted together with others. */
const grantedWithOthers: readonly WithoutCall[] = [
  { reason: "The CDK grants them with a queue's messages.", actions: ["sqs:GetQueueAttributes", "sqs:GetQueueUrl"] },
  { reason: "With it, S3 returns 404 instead of 403 for a missing object.", actions: ["s3:ListBucket"] },
  {
    reason: "Every function with transactions may put and update, but webhooks' transactions only put and delete.",
    actions: ["dynamodb:UpdateItem"],
    functions: [
      "POST /admin/webhooks",
      "DELETE /admin/webhooks/{id}",
      "PATCH /admin/webhooks/{id}",
      "POST /admin/webhooks/{id}/replay",
      "POST /admin/webhooks/{id}/rotate-secret",
    ],
  },
];

/** The reason why a function's right is needed by no call. */
export function reasonWithoutCall(description: string, action: string): string | undefined {
  return [...usedByLambda, ...notCalledHere, ...grantedWithOthers].find(
    ({ actions, functions }) => actions.includes(action) && (functions?.includes(description) ?? true),
  )?.reason;
}
