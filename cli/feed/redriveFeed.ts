import { sendMessage } from "../../functions/ingest/queue.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { type DeadLetter, deadLetterQueueOf, receiveDeadLetters } from "./deadLetters.ts";
import { describeDeadLetter } from "./describeDeadLetter.ts";
import { openQueue, usingQueue } from "./targetQueue.ts";

const usage = `npm run feed:redrive -- [--list] [--queue-url URL]
  --list            only tell which messages were given up, and why
  --queue-url URL   of this feed, with the usual AWS credentials; left out, of the running local service's

Sends the messages that the feed gave up back to it, to be tried anew after a fix. One that is given up again stays given up.
Exit code: 0 done, 2 it could not run to the end, 130 interrupted. Running it again is safe.`;

const seeHelp = "npm run feed:redrive -- --help tells how.";

await runCommand(main, "Interrupted. Run it again to go on.");

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
  console.log(`${count(listed)} messages were given up. Nothing was changed.`);
}

/** What is sent, and then not deleted since this process ends, is sent again the next time, which changes nothing. */
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
