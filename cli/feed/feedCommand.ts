import * as z from "zod";
import { messagePacker, sendPacked } from "../../functions/feed/messagePacker.ts";
import { type ItemKey, organisationIdOf } from "../../functions/table/itemKeys.ts";
import { type Destination, importFile, oneFile } from "../import/importFile.ts";
import { command, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openQueue, queueOptions, usingQueue } from "../shared/target.ts";

const about = `Checks records and sends many per message. The feed's consumer stores them soon after.
Exit codes: 0 all records sent, 1 all records sent except bad lines, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const Options = z.object({ files: oneFile, ...queueOptions });

export const main = command({ name: "feed", Options, about }, run);

async function run({ files: [file], ...target }: z.infer<typeof Options>, io: Io): Promise<number> {
  const sent = { records: 0, messages: 0 };
  const destination = queueDestination(await openQueue(target), sent);
  const arrived = () => sent.records;
  const summary = (bad: number, seconds: string) =>
    `${count(sent.records)} records sent in ${count(sent.messages)} messages, ${count(bad)} bad lines, in ${seconds} s.`;
  return importFile(file, destination, { arrived, summary }, io);
}

/** Counts what the queue accepted. After an early end, sends in flight are not awaited: sending them again is harmless. */
function queueDestination(queueUrl: string, sent: { records: number; messages: number }): Destination {
  const packer = messagePacker(async (message) => {
    await usingQueue(queueUrl, () => sendPacked(queueUrl, message));
    sent.messages += 1;
    sent.records += message.records;
  });
  const add = (item: ItemKey, text: string) => packer.add(organisationIdOf(item.PK), text);
  return { add, finish: packer.finish, settle: async () => undefined };
}
