import * as z from "zod";
import { messagePacker, sendPacked } from "../../functions/feed/messagePacker.ts";
import { type ItemKey, organisationIdOf } from "../../functions/table/keys.ts";
import { importFile, oneFile } from "../import/importFile.ts";
import type { Destination } from "../import/importRecords.ts";
import { command, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openQueue, stageOption, usingQueue } from "../shared/target.ts";

const usage = `npm run ops -- feed FILE [--stage NAME] [--queue-url URL]
  FILE              input records, one JSON object per line, plain or gzip; - for standard input
  --stage NAME      send to this stage in AWS, with the usual credentials and region; default: the running local service
  --queue-url URL   send to this queue instead of the one that the stage reports

Checks the records and sends many per message. The feed's consumer stores them soon after.
Exit codes: 0 all records sent, 1 all records sent except bad lines, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const Options = z.object({ files: oneFile, stage: stageOption, "queue-url": z.string().optional() });

export const main = command({ usage, Options }, run);

async function run({ files: [file], ...target }: z.infer<typeof Options>, io: Io): Promise<number> {
  const sent = { records: 0, messages: 0 };
  const destination = queueDestination(await openQueue(target), sent);
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
