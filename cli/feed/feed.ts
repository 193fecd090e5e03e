import { messagePacker } from "../../functions/ingest/messagePacker.ts";
import { sendMessage } from "../../functions/ingest/queue.ts";
import { UsageError } from "../../local/usageError.ts";
import { importFile } from "../import/importFile.ts";
import type { Destination } from "../import/importRecords.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openQueue, usingQueue } from "./targetQueue.ts";

const usage = `npm run feed -- FILE [--queue-url URL]
  FILE              input records, one JSON object a line, plain or gzip; - for standard input
  --queue-url URL   send to this queue, with the usual AWS credentials; left out, to the running local service's

The records are checked, and sent many to a message; the feed's consumer stores them soon after.
Exit code: 0 all records are sent, 1 some lines were bad and all others are sent, 2 it could not run to the end, 130 interrupted.
Running it again is safe, and is how to go on after 2 and 130.`;

const seeHelp = "npm run feed -- --help tells how.";

await runCommand(main, "Interrupted. Run it again to go on.");

async function main(signal: AbortSignal): Promise<number> {
  const { file, queueUrl, help } = commandLine();
  if (help) {
    console.log(usage);
    return 0;
  }
  const sent = { records: 0, messages: 0 };
  const destination = queueDestination(await openQueue(queueUrl), sent);
  const arrived = () => sent.records;
  const summary = (bad: number, seconds: string) =>
    `${count(sent.records)} records in ${count(sent.messages)} messages sent, ${count(bad)} bad lines, in ${seconds} s.`;
  return importFile(file, destination, { arrived, summary }, signal);
}

function commandLine() {
  const { values, positionals } = parseCommandLine(
    {
      allowPositionals: true,
      options: { "queue-url": { type: "string" }, help: { type: "boolean", short: "h", default: false } },
    },
    seeHelp,
  );
  const [file = "-"] = positionals;
  if (!values.help && positionals.length !== 1) {
    throw new UsageError(`Name one FILE, or - for standard input. ${seeHelp}`);
  }
  return { file, queueUrl: values["queue-url"], help: values.help };
}

/** Counts what the queue has taken. What is under way when it ends early is not waited for: to send it again changes nothing. */
function queueDestination(queueUrl: string, sent: { records: number; messages: number }): Destination {
  const packer = messagePacker(async (body, records) => {
    await usingQueue(queueUrl, () => sendMessage(queueUrl, body));
    sent.messages += 1;
    sent.records += records;
  });
  const add = (_item: unknown, text: string) => packer.add(text);
  return { add, finish: packer.finish, settle: async () => undefined };
}
