import { appendFile } from "node:fs/promises";
import * as z from "zod";
import { UsageError } from "../../common/usageError.ts";
import { sendMessage } from "../../functions/feed/queue.ts";
import { parseJson } from "../../functions/parseJson.ts";
import { command, flag, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import {
  type DeadLetter,
  deadLetterQueueOf,
  describeDeadLetter,
  receiveDeadLetters,
  withDeadLetter,
} from "./deadLetters.ts";
import { openQueue, usingQueue } from "./targetQueue.ts";

const usage = `npm run feed:redrive -- [--list | [--message ID] [--drop-to FILE] [--dry-run]] [--queue-url URL]
  --list            only list the dead letters, with their ids and reasons
  --message ID      only this dead letter
  --drop-to FILE    remove it instead of sending it back, after appending its records to FILE, one per line, which npm run feed takes
  --dry-run         show that dead letter and change nothing
  --queue-url URL   the feed's queue, with the usual AWS credentials; default: the running local service's queue

Sends dead letters back to the feed after their cause was fixed. One that fails again becomes a dead letter again, with another id.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe.`;

const Options = z
  .object({
    list: flag,
    message: z.string().min(1).optional(),
    "drop-to": z.string().min(1).optional(),
    "dry-run": flag,
    "queue-url": z.string().optional(),
  })
  .refine(({ list, message }) => !list || message === undefined, "Give either --list or --message ID.")
  .refine(
    (options) => options.message !== undefined || (options["drop-to"] === undefined && !options["dry-run"]),
    "--drop-to and --dry-run require --message ID.",
  );
type Options = z.infer<typeof Options>;

export const main = await command(import.meta, { usage, Options }, run);

async function run(options: Options, io: Io): Promise<number> {
  const queueUrl = await openQueue(options["queue-url"]);
  const deadLetterQueueUrl = await usingQueue(queueUrl, () => deadLetterQueueOf(queueUrl));
  if (options.message !== undefined) await one(queueUrl, deadLetterQueueUrl, options, io);
  else await (options.list ? list(deadLetterQueueUrl, io) : redrive(queueUrl, deadLetterQueueUrl, io));
  return 0;
}

/** Sends one dead letter back, or drops it. @throws UsageError if the queue does not have it. */
async function one(queueUrl: string, deadLetterQueueUrl: string, options: Options, { stdout, signal }: Io) {
  const { message = "", "drop-to": file, "dry-run": dryRun } = options;
  const isFound = await withDeadLetter(deadLetterQueueUrl, message, signal, async (letter) => {
    stdout.write(`${describeDeadLetter(letter)}\n`);
    if (dryRun) return;
    if (file === undefined) await sendMessage(queueUrl, letter.body);
    else await keep(file, letter.body);
    await letter.remove();
  });
  signal.throwIfAborted();
  if (!isFound)
    throw new UsageError(`The queue has no dead letter ${message} that no other program holds. Nothing was changed.`);
  stdout.write(
    dryRun
      ? "Nothing was changed.\n"
      : file === undefined
        ? "Sent back to the feed.\n"
        : `Removed, and kept in ${file}.\n`,
  );
}

/** Appends a message's records to a file that only its owner can read. Text that is not JSON becomes one line. */
async function keep(file: string, body: string): Promise<void> {
  const { value = body.replaceAll(/\s+/g, " ") } = parseJson(body);
  const lines = [value].flat().map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  await appendFile(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 }).catch((cause: Error) => {
    throw new UsageError(`Cannot write ${file}: ${cause.message}. Nothing was changed.`, { cause });
  });
}

async function list(deadLetterQueueUrl: string, { stdout, signal }: Io): Promise<void> {
  let listed = 0;
  for await (const letters of receiveDeadLetters(deadLetterQueueUrl, Infinity, signal)) {
    for (const letter of letters) stdout.write(`${describeDeadLetter(letter)}\n`);
    listed += letters.length;
  }
  stdout.write(`${count(listed)} dead letters. Nothing was changed.\n`);
}

/** A message sent but not yet removed when this process ends is sent again next time, which is harmless. */
async function redrive(queueUrl: string, deadLetterQueueUrl: string, { stdout, signal }: Io): Promise<void> {
  const startMs = Date.now();
  let sent = 0;
  try {
    for await (const letters of receiveDeadLetters(deadLetterQueueUrl, startMs, signal)) {
      const sendBack = async ({ body, remove }: DeadLetter) => {
        await sendMessage(queueUrl, body);
        await remove();
        sent += 1;
      };
      await Promise.all(letters.map(sendBack));
    }
  } finally {
    const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
    stdout.write(`${count(sent)} messages sent back to the feed, in ${seconds} s.\n`);
  }
}
