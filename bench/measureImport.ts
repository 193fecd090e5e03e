import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { generatedRecords, largeOrganisation } from "./generatedRecords.ts";
import type { Row } from "./row.ts";

const budgetedRecords = 82_220;
const maximumSeconds = 60;
const maximumMegabytes = 300;

/** Where the records to import come from: a file, or that many generated events. */
export interface Source {
  file: string | undefined;
  events: number;
}

/** How fast records go into an empty table, with the command that users have. */
export async function measureImport(
  dynamoDbEndpoint: string,
  tableName: string,
  { file, events }: Source,
): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  const generated = join(directory, "records.ndjson");
  if (file === undefined) {
    const lines = Array.from(generatedRecords(largeOrganisation, 0, events), (record) => `${JSON.stringify(record)}\n`);
    writeFileSync(generated, lines.join(""));
  }
  const { seconds, megabytes, records } = await runImport(file ?? generated, dynamoDbEndpoint, tableName);
  rmSync(directory, { recursive: true });
  const of = file === undefined ? "generated records" : file;
  return [
    {
      what: `import of 82,220 records, from ${records.toLocaleString("en")} ${of}`,
      unit: "s",
      measured: (seconds / records) * budgetedRecords,
      maximum: maximumSeconds,
      kind: "time",
    },
    { what: "memory of the import", unit: "MB", measured: megabytes, maximum: maximumMegabytes, kind: "time" },
  ];
}

async function runImport(file: string, endpoint: string, tableName: string) {
  const command = [
    resolve(import.meta.dirname, "../cli/import/import.ts"),
    file,
    "--endpoint",
    endpoint,
    "--table",
    tableName,
  ];
  // Tells the most memory that the process had, in kilobytes.
  const tellMemory = `process.on("exit", () => console.log("\\nPEAK " + process.resourceUsage().maxRSS));`;
  const startMs = performance.now();
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(tellMemory)}`, ...command],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const [exitCode] = await once(child, "close");
  const seconds = (performance.now() - startMs) / 1_000;
  const records = /([\d,]+) records written/.exec(output)?.[1]?.replaceAll(",", "");
  const kilobytes = /PEAK (\d+)/.exec(output)?.[1];
  if (exitCode !== 0 || records === undefined) throw new Error(`The import ended with ${exitCode}: ${output}`);
  return { seconds, records: Number(records), megabytes: Number(kilobytes) / 1_000 };
}
