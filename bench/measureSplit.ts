import { messagePacker } from "../functions/feed/messagePacker.ts";
import { parseLine } from "../functions/feed/parseRecord.ts";
import { readLines } from "../functions/feed/readLines.ts";
import { organisationIdOf } from "../functions/table/keys.ts";
import { generatedRecords, largeOrganisation } from "./generatedRecords.ts";
import type { Row } from "./row.ts";

const chunkBytes = 64 * 1024;
const records = 50_000;

/** The processor time to read, check and pack a record of a file, without sending it. docs/operators/feed.md quotes it. */
export async function measureSplit(): Promise<Row> {
  const generated = generatedRecords(largeOrganisation, 1, records + 1);
  const file = Buffer.from(Array.from(generated, (record) => JSON.stringify(record)).join("\n"));
  // The first time warms up.
  await split(file);
  const before = process.cpuUsage();
  await split(file);
  const { user, system } = process.cpuUsage(before);
  const what = `processor time to split a record of ${Math.round(file.length / records)} bytes`;
  return { what, unit: "µs", measured: (user + system) / records };
}

async function split(file: Buffer): Promise<void> {
  const packer = messagePacker(async () => undefined);
  for await (const line of readLines(chunksOf(file))) {
    const parsed = parseLine(line);
    if ("problem" in line || "problem" in parsed) throw new Error("A generated record is not valid.");
    await packer.add(organisationIdOf(parsed.item.PK), line.text);
  }
  await packer.finish();
}

async function* chunksOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += chunkBytes) yield file.subarray(start, start + chunkBytes);
}
