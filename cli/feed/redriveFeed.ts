import * as z from "zod";
import { sendMessage } from "../../functions/feed/queue.ts";
import { command, flag, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { type DeadLetter, deadLetterQueueOf, describeDeadLetter, receiveDeadLetters } from "./deadLetters.ts";
import { openQueue, usingQueue } from "./targetQueue.ts";

const usage = `npm run feed:redrive -- [--list] [--queue-url URL]
  --list            only list the dead letters and their reasons
  --queue-url URL   the feed's queue, with the usual AWS credentials; default: the running local service's queue

Sends dead letters back to the feed after their cause was fixed. One that fails again becomes a dead letter again.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe.`;

const Options = z.object({ list: flag, "queue-url": z.string().optional() });

export const main = await command(import.meta, { usage, Options }, run);

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const queueUrl = await openQueue(options["queue-url"]);
  const deadLetterQueueUrl = await usingQueue(queueUrl, () => deadLetterQueueOf(queueUrl));
  await (options.list ? list(deadLetterQueueUrl, io) : redrive(queueUrl, deadLetterQueueUrl, io));
  return 0;
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
