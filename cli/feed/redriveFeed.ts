import { sendMessage } from "../../functions/ingest/queue.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { type DeadLetter, deadLetterQueueOf, receiveDeadLetters } from "./deadLetters.ts";
import { describeDeadLetter } from "./describeDeadLetter.ts";
import { openQueue, usingQueue } from "./targetQueue.ts";

const usage = `npm run feed:redrive -- [--list] [--queue-url URL]
  --list            only list the dead letters and their reasons
  --queue-url URL   the feed's queue, with the usual AWS credentials; default: the running local service's queue

Sends dead letters back to the feed after their cause was fixed. One that fails again becomes a dead letter again.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe.`;

const seeHelp = "See npm run feed:redrive -- --help.";

await runCommand(main, "Interrupted. Run it again to continue.");

async function main(signal: AbortSignal): Promise<number> {
  const { values } = parseCommandLine(
    {
      options: {
        list: { type: "boolean", default: false },
        "queue-url": { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    },
    seeHelp,
  );
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const queueUrl = await openQueue(values["queue-url"]);
  const deadLetterQueueUrl = await usingQueue(queueUrl, () => deadLetterQueueOf(queueUrl));
  await (values.list ? list(deadLetterQueueUrl, signal) : redrive(queueUrl, deadLetterQueueUrl, signal));
  return 0;
}

async function list(deadLetterQueueUrl: string, signal: AbortSignal): Promise<void> {
  let listed = 0;
  for await (const letters of receiveDeadLetters(deadLetterQueueUrl, Infinity, signal)) {
    for (const letter of letters) console.log(describeDeadLetter(letter));
    listed += letters.length;
  }
  console.log(`${count(listed)} dead letters. Nothing was changed.`);
}

/** A message sent but not yet removed when this process ends is sent again next time, which is harmless. */
async function redrive(queueUrl: string, deadLetterQueueUrl: string, signal: AbortSignal): Promise<void> {
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
    console.log(`${count(sent)} messages sent back to the feed, in ${seconds} s.`);
  }
}
