import { messagePacker } from "../../functions/ingest/messagePacker.ts";
import { sendMessage } from "../../functions/ingest/queue.ts";
import { UsageError } from "../../local/usageError.ts";
import { importFile } from "../import/importFile.ts";
import type { Destination } from "../import/importRecords.ts";
import { parseCommandLine, runCommand } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openQueue, usingQueue } from "./targetQueue.ts";

const usage = `npm run feed -- FILE [--queue-url URL]
  FILE              input records, one JSON object per line, plain or gzip; - for standard input
  --queue-url URL   send to this queue, with the usual AWS credentials; default: the running local service's queue

Checks the records and sends many per message. The feed's consumer stores them soon after.
Exit codes: 0 all records sent, 1 all records sent except bad lines, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const seeHelp = "See npm run feed -- --help.";

await runCommand(main, "Interrupted. Run it again to continue.");

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
    `${count(sent.records)} records sent in ${count(sent.messages)} messages, ${count(bad)} bad lines, in ${seconds} s.`;
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
    throw new UsageError(`Give one FILE, or - for standard input. ${seeHelp}`);
  }
  return { file, queueUrl: values["queue-url"], help: values.help };
}

/** Counts what the queue accepted. Sends in flight are not awaited after an early end: sending them again is harmless. */
function queueDestination(queueUrl: string, sent: { records: number; messages: number }): Destination {
  const packer = messagePacker(async (body, records) => {
    await usingQueue(queueUrl, () => sendMessage(queueUrl, body));
    sent.messages += 1;
    sent.records += records;
  });
  const add = (_item: unknown, text: string) => packer.add(text);
  return { add, finish: packer.finish, settle: async () => undefined };
}
