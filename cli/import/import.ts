import * as z from "zod";
import { tableWriter, type Writer } from "../../functions/feed/tableWriter.ts";
import { backOff } from "../../functions/table/retries.ts";
import { command, dryRun, type Io } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { importFile, oneFile } from "./importFile.ts";

const about = `Writes records straight to the table.
Exit codes: 0 all records imported, 1 all records imported except bad lines, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const Options = z.object({ files: oneFile, "dry-run": dryRun, ...targetOptions });

export const main = command({ name: "import", Options, about }, run);

async function run(
  { files: [file], "dry-run": isDryRun, ...target }: z.infer<typeof Options>,
  io: Io,
): Promise<number> {
  const writer = isDryRun ? countOnly() : tableWriter(await openTarget(target), backOff(io.signal));
  const arrived = () => Object.values(writer.counts).reduce((sum, number) => sum + number, 0);
  const summary = (bad: number, seconds: string) => {
    const { new: added, changed, unchanged, older } = writer.counts;
    return isDryRun
      ? `${count(arrived())} good records, ${count(bad)} bad lines. Nothing was written.`
      : `${count(added)} new records, ${count(changed)} changed, ${count(unchanged)} unchanged, ${count(older)} older than stored, ${count(bad)} bad lines, in ${seconds} s.`;
  };
  return importFile(file, writer, { arrived, summary }, io);
}

function countOnly(): Writer {
  const counts = { new: 0, changed: 0, unchanged: 0, older: 0 };
  const nothing = async () => undefined;
  const add = async () => {
    counts.new += 1;
  };
  return { counts, add, finish: nothing, settle: nothing };
}
