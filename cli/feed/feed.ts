import * as z from "zod";
import { messagePacker, sendPacked } from "../../functions/feed/messagePacker.ts";
import { type ItemKey, organisationIdOf } from "../../functions/table/keys.ts";
import { importFile, oneFile } from "../import/importFile.ts";
import type { Destination } from "../import/importRecords.ts";
import { command, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openQueue, usingQueue } from "./targetQueue.ts";

const usage = `npm run feed -- FILE [--queue-url URL]
  FILE              input records, one JSON object per line, plain or gzip; - for standard input
  --queue-url URL   send to this queue, with the usual AWS credentials; default: the running local service's queue

Checks the records and sends many per message. The feed's consumer stores them soon after.
Exit codes: 0 all records sent, 1 all records sent except bad lines, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const Options = z.object({ files: oneFile, "queue-url": z.string().optional() });

export const main = await command(import.meta, { usage, Options }, run);

async function run({ files: [file], "queue-url": queueUrl }: z.infer<typeof Options>, io: Io): Promise<number> {
  const sent = { records: 0, messages: 0 };
  const destination = queueDestination(await openQueue(queueUrl), sent);
  const arrived = () => sent.records;
  const summary = (bad: number, seconds: string) =>
    `${count(sent.records)} records sent in ${count(sent.messages)} messages, ${count(bad)} bad lines, in ${seconds} s.`;
  return importFile(file, destination, { arrived, summary }, io);
}

/** Counts what the queue accepted. Sends in flight are not awaited after an early end: sending them again is harmless. */
function queueDestination(queueUrl: string, sent: { records: number; messages: number }): Destination {
  const packer = messagePacker(async (message) => {
    await usingQueue(queueUrl, () => sendPacked(queueUrl, message));
    sent.messages += 1;
    sent.records += message.records;
  });
  const add = (item: ItemKey, text: string) => packer.add(organisationIdOf(item.PK), text);
  return { add, finish: packer.finish, settle: async () => undefined };
}
