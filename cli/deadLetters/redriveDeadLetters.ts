import { appendFile } from "node:fs/promises";
import * as z from "zod";
import { sendMessage } from "../../functions/feed/queue.ts";
import { parseJson } from "../../functions/parseJson.ts";
import { backOff } from "../../functions/table/untilTaken.ts";
import { failedOutputs, importQueueOutput } from "../../lib/settings.ts";
import { Actor, auditStart, type Counts } from "../organisation/organisation.ts";
import { command, flag, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openQueue, openTarget, targetOptions, targetUsage, usingQueue } from "../shared/target.ts";
import { UsageError } from "../shared/usageError.ts";
import {
  type DeadLetter,
  deadLetterQueueOf,
  describeDeadLetter,
  describeHidden,
  receiveDeadLetters,
} from "./deadLetters.ts";

const queues = ["feed", "import", "summaries", "events", "usage", "backups"] as const;
type QueueName = (typeof queues)[number];

const usage = `npm run ops -- dead-letters [--queue NAME] [(--message ID | --all) --actor NAME [--drop-to FILE] [--dry-run]]
                            [--stage NAME] [--queue-url URL] [--table NAME] [--endpoint URL]
  --queue NAME      whose dead letters: ${queues.join(", ")}; default: feed
  --message ID      send this one back to its queue
  --all             send all back
  --drop-to FILE    remove instead of sending back, after appending the content to FILE; npm run ops -- feed takes the feed's
  --actor NAME      who requested it, for the audit
  --dry-run         show the dead letters and change nothing
${targetUsage(17)}
  --queue-url URL   the feed's or the import's queue instead of the one that the stage reports

Without --message and --all it lists the dead letters with their ids and reasons.
Send them back after their cause was fixed. One that fails again becomes a dead letter again, with another id.
Exit codes: 0 done, 1 done except those that another program has received, 2 failed, 130 interrupted. Running it again is safe.`;

const interrupted = "Interrupted. What was not sent back or removed is visible again. Run it again to continue.";

const Options = z
  .object({
    ...targetOptions,
    queue: z.enum(queues, `--queue must be one of ${queues.join(", ")}.`).default("feed"),
    message: z.string().min(1).optional(),
    all: flag,
    "drop-to": z.string().min(1).optional(),
    actor: Actor.optional(),
    "dry-run": flag,
    "queue-url": z.string().optional(),
  })
  .refine(({ message, all }) => !all || message === undefined, "Give either --message ID or --all.")
  .refine(
    (options) => options["drop-to"] === undefined || options.message !== undefined || options.all,
    "--drop-to requires --message ID or --all.",
  )
  .refine(
    (options) => options.actor !== undefined || options["dry-run"] || !(options.all || options.message),
    "--actor is missing.",
  )
  .refine(
    (options) => options["queue-url"] === undefined || options.stage !== undefined || options.table !== undefined,
    "--queue-url requires --table NAME, for the audit.",
  );
type Options = z.infer<typeof Options>;

export const main = command({ usage, interrupted, Options }, run);

async function run(options: Options, io: Io): Promise<number> {
  const { queue, message, all, actor, "drop-to": file, "dry-run": dryRun } = options;
  const isChange = (all || message !== undefined) && !dryRun;
  if (isChange && file === undefined && !isRedrivable(queue)) {
    throw new UsageError(
      `The dead letters of ${queue} only report what failed, so they cannot be sent back. Follow the runbook, then remove them with --drop-to FILE.`,
    );
  }
  const { queueUrl, deadLetterQueueUrl } = await queuesOf(options);
  if (!isChange || actor === undefined) return list(deadLetterQueueUrl, options, io);
  const table = await openTarget(options);
  const what = { organisation_id: null, action: file === undefined ? ("redrive" as const) : ("drop" as const), actor };
  const start = () => auditStart(table, { ...what, queue, message_id: message }, backOff(io.signal));
  const take = async ({ body, remove }: DeadLetter) => {
    await (file === undefined ? sendMessage(queueUrl, body) : keep(file, body));
    await remove();
  };
  return change(deadLetterQueueUrl, options, { start, take }, io);
}

function isRedrivable(queue: QueueName): queue is "feed" | "import" {
  return queue === "feed" || queue === "import";
}

/** The queue that dead letters are sent back to, or else their own. */
async function queuesOf(options: Options): Promise<{ queueUrl: string; deadLetterQueueUrl: string }> {
  const { queue, stage, "queue-url": given } = options;
  if (!isRedrivable(queue)) {
    if (stage === undefined || given !== undefined)
      throw new UsageError(`The dead letters of ${queue} require --stage NAME, without --queue-url.`);
    const deadLetterQueueUrl = await openQueue({ stage }, failedOutputs[queue]);
    return { queueUrl: deadLetterQueueUrl, deadLetterQueueUrl };
  }
  if (queue === "import" && stage === undefined && given === undefined)
    throw new UsageError("The local service has no queue of imports. Name a stage in AWS with --stage NAME.");
  const queueUrl = await openQueue(options, queue === "import" ? importQueueOutput : undefined);
  return { queueUrl, deadLetterQueueUrl: await usingQueue(queueUrl, () => deadLetterQueueOf(queueUrl)) };
}

async function list(deadLetterQueueUrl: string, { message }: Options, { stdout, signal }: Io): Promise<number> {
  let listed = 0;
  const hidden = await describeHidden(deadLetterQueueUrl);
  for await (const letters of receiveDeadLetters(deadLetterQueueUrl, Infinity, signal)) {
    const wanted = letters.filter(({ id }) => message === undefined || id === message);
    for (const letter of wanted) stdout.write(`${describeDeadLetter(letter)}\n`);
    listed += wanted.length;
  }
  signal.throwIfAborted();
  stdout.write(`${count(listed)} dead letters. Nothing was changed.\n`);
  return reportHidden(listed === 0 ? await describeHidden(deadLetterQueueUrl) : hidden, stdout);
}

/** @returns the exit code. */
function reportHidden(hidden: string | undefined, stdout: Io["stdout"]): number {
  if (hidden === undefined) return 0;
  stdout.write(`${hidden}\n`);
  return 1;
}

interface Change {
  /** Records the start. @returns records the completion. */
  start: () => Promise<(counts: Counts) => Promise<void>>;
  /** A message sent but not yet removed when this process ends is sent again next time, which is harmless. */
  take: (letter: DeadLetter) => Promise<void>;
}

/** Sends back or drops one dead letter, or all that are there now. */
async function change(
  deadLetterQueueUrl: string,
  { message, "drop-to": file }: Options,
  { start, take }: Change,
  { stdout, signal }: Io,
): Promise<number> {
  const startMs = Date.now();
  let complete: Awaited<ReturnType<Change["start"]>> | undefined;
  let taken = 0;
  const hidden = await describeHidden(deadLetterQueueUrl);
  try {
    for await (const letters of receiveDeadLetters(deadLetterQueueUrl, message ? Infinity : startMs, signal)) {
      const wanted = letters.filter(({ id }) => message === undefined || id === message);
      if (wanted.length > 0) complete ??= await start();
      if (message !== undefined) for (const letter of wanted) stdout.write(`${describeDeadLetter(letter)}\n`);
      await Promise.all(
        wanted.map(async (letter) => {
          await take(letter);
          taken += 1;
        }),
      );
      if (message !== undefined && taken > 0) break;
    }
    signal.throwIfAborted();
    if (message !== undefined && taken === 0) throw missing(message, await describeHidden(deadLetterQueueUrl));
    await complete?.({ message: taken });
  } finally {
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
    const outcome = file === undefined ? "sent back" : `removed, and kept in ${file}`;
    if (message === undefined || taken > 0) stdout.write(`${count(taken)} dead letters ${outcome}, in ${seconds} s.\n`);
  }
  if (message !== undefined) return 0;
  return reportHidden(taken === 0 ? await describeHidden(deadLetterQueueUrl) : hidden, stdout);
}

function missing(message: string, hidden = "Nothing was changed."): UsageError {
  return new UsageError(`The queue has no dead letter ${message} that no other program holds. ${hidden}`);
}

/** Appends a message's records to a file that only its owner can read. Text that is not JSON becomes one line. */
async function keep(file: string, body: string): Promise<void> {
  const { value = body.replaceAll(/\s+/g, " ") } = parseJson(body);
  const lines = [value].flat().map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  await appendFile(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 }).catch((cause: Error) => {
    throw new UsageError(`Cannot write ${file}: ${cause.message}. Nothing was changed.`, { cause });
  });
}
