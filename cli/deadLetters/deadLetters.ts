import { appendFile } from "node:fs/promises";
import { GetQueueAttributesCommand, StartMessageMoveTaskCommand } from "@aws-sdk/client-sqs";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { parseJson } from "../../functions/parseJson.ts";
import { queueClient } from "../../functions/queue.ts";
import { backOff } from "../../functions/table/retries.ts";
import { failedOutputs, importQueueOutput } from "../../lib/settings.ts";
import { Actor, auditStart } from "../organisation/organisation.ts";
import { command, dryRun, flag, type Io, option } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openQueue, openTarget, queueOptions, targetOptions, usingQueue } from "../shared/target.ts";
import { describeDeadLetter } from "./describeDeadLetter.ts";
import { receiveAll } from "./receiveAll.ts";

const queues = ["feed", "import", "table-stream", "events", "usage", "backups"] as const;
type QueueName = (typeof queues)[number];

const about = `Without --move and --drop-to, lists the dead letters with their ids and reasons.
Move them once their cause is fixed. SQS moves them after this command has ended; a message that fails again becomes a dead letter again.
Dead letters of table-stream, events, usage and backups only report what failed: follow the runbook, then drop them.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe.`;

const Options = z
  .object({
    queue: option(
      z.enum(queues, `--queue must be one of ${queues.join(", ")}.`).default("feed"),
      "NAME",
      `the dead letters of ${queues.join(", ")}; default: feed`,
    ),
    move: flag("move all back to the queue of the feed or of the import"),
    "drop-to": option(
      z.string().min(1).optional(),
      "FILE",
      "remove all, after appending their content to FILE; npm run ops -- feed can send the feed's again",
    ),
    message: option(z.string().min(1).optional(), "ID", "remove only this one"),
    actor: option(
      Actor.optional(),
      "NAME",
      "the person who requested it, for the audit; required with --move and --drop-to, except with --dry-run",
    ),
    "dry-run": dryRun,
    ...targetOptions,
    ...queueOptions,
  })
  .refine((options) => !options.move || options["drop-to"] === undefined, "Give either --move or --drop-to FILE.")
  .refine(
    (options) => options.message === undefined || options["drop-to"] !== undefined,
    "--message requires --drop-to FILE.",
  )
  .refine(
    (options) => options.actor !== undefined || options["dry-run"] || !(options.move || options["drop-to"]),
    "--actor is missing.",
  )
  .refine(
    (options) => options["queue-url"] === undefined || options.stage !== undefined || options.table !== undefined,
    "--queue-url requires --table NAME, for the audit.",
  );
type Options = z.infer<typeof Options>;

const interrupted = "Interrupted. The remaining dead letters are visible again. Run it again to continue.";

export const main = command({ name: "dead-letters", Options, about, interrupted }, run);

async function run(options: Options, io: Io): Promise<number> {
  const { queue, move, actor, "drop-to": file } = options;
  if (move && !isMovable(queue))
    throw new UsageError(
      `The dead letters of ${queue} only report what failed, so they cannot be moved. Follow the runbook, then remove them with --drop-to FILE.`,
    );
  const { queueUrl, deadLetterQueueUrl } = await queuesOf(options);
  const isChange = (move || file !== undefined) && !options["dry-run"];
  if (!isChange || actor === undefined) return list(deadLetterQueueUrl, options, io);
  const audited = { organisation_id: null, action: move ? ("redrive" as const) : ("drop" as const), actor, queue };
  const complete = await auditStart(await openTarget(options), audited, backOff(io.signal));
  const message = move
    ? await moveAll(deadLetterQueueUrl, queueUrl, io)
    : await drop(deadLetterQueueUrl, String(file), options, io);
  await complete({ message });
  return 0;
}

function isMovable(queue: QueueName): queue is "feed" | "import" {
  return queue === "feed" || queue === "import";
}

/** The dead-letter queue and its source. A queue that only reports failures is both. */
async function queuesOf(options: Options): Promise<{ queueUrl: string; deadLetterQueueUrl: string }> {
  const { queue, stage, "queue-url": given } = options;
  if (!isMovable(queue)) {
    if (stage === undefined || given !== undefined)
      throw new UsageError(`The dead letters of ${queue} require --stage NAME, without --queue-url.`);
    const deadLetterQueueUrl = await openQueue({ stage }, failedOutputs[queue]);
    return { queueUrl: deadLetterQueueUrl, deadLetterQueueUrl };
  }
  if (queue === "import" && stage === undefined && given === undefined)
    throw new UsageError("The local service has no queue of imports. Name a stage in AWS with --stage NAME.");
  const queueUrl = await openQueue(options, queue === "import" ? importQueueOutput : undefined);
  const { RedrivePolicy } = await usingQueue(queueUrl, () => attributesOf(queueUrl));
  const arn = RedrivePolicy && z.object({ deadLetterTargetArn: z.string() }).parse(JSON.parse(RedrivePolicy));
  if (!arn)
    throw new UsageError(`Queue ${queueUrl} has no dead-letter queue, so it is neither the feed's nor the import's.`);
  return { queueUrl, deadLetterQueueUrl: queueUrl.replace(/[^/]*$/, arn.deadLetterTargetArn.replace(/^.*:/, "")) };
}

const QueueAttributes = z.object({
  QueueArn: z.string(),
  RedrivePolicy: z.string().optional(),
  ApproximateNumberOfMessages: z.coerce.number(),
});

async function attributesOf(QueueUrl: string) {
  const AttributeNames = QueueAttributes.keyof().options;
  const { Attributes } = await queueClient(QueueUrl).send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return QueueAttributes.parse(Attributes);
}

async function list(deadLetterQueueUrl: string, { message }: Options, { stdout, signal }: Io): Promise<number> {
  let listed = 0;
  for await (const letter of receiveAll(deadLetterQueueUrl, signal)) {
    if (message !== undefined && letter.MessageId !== message) continue;
    stdout.write(`${describeDeadLetter(letter)}\n`);
    listed += 1;
  }
  stdout.write(`${count(listed)} dead letters. Nothing was changed.\n`);
  return 0;
}

/** @returns the approximate number of messages. */
async function moveAll(deadLetterQueueUrl: string, queueUrl: string, { stdout }: Io): Promise<number> {
  const [source, destination] = [await attributesOf(deadLetterQueueUrl), await attributesOf(queueUrl)];
  // With a destination, SQS also moves messages that the feed's consumer sent there.
  const move = { SourceArn: source.QueueArn, DestinationArn: destination.QueueArn };
  await queueClient(queueUrl).send(new StartMessageMoveTaskCommand(move));
  const number = source.ApproximateNumberOfMessages;
  stdout.write(`SQS moves about ${count(number)} dead letters back to ${queueUrl}.\n`);
  return number;
}

/** @returns the number of removed messages. */
async function drop(
  deadLetterQueueUrl: string,
  file: string,
  { message }: Options,
  { stdout, signal }: Io,
): Promise<number> {
  let dropped = 0;
  try {
    for await (const letter of receiveAll(deadLetterQueueUrl, signal)) {
      if (message !== undefined && letter.MessageId !== message) continue;
      await keep(file, letter.Body);
      await letter.remove();
      dropped += 1;
    }
    if (message !== undefined && dropped === 0)
      throw new UsageError("The queue has no such dead letter. Nothing was changed.");
  } finally {
    if (message === undefined || dropped > 0)
      stdout.write(`${count(dropped)} dead letters removed and saved in ${file}.\n`);
  }
  return dropped;
}

/** Appends a message's records to a file that only its owner can read. Text that is not JSON becomes one line. */
async function keep(file: string, body: string): Promise<void> {
  const { value = body.replaceAll(/\s+/g, " ") } = parseJson(body);
  const lines = [value].flat().map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  await appendFile(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
}
