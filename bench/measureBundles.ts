import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { functionEntryPoints } from "../lib/functionEntryPoints.ts";
import { directoryOf } from "./functions.ts";
import type { Row } from "./row.ts";

const maximumBytes = 450_000;
/** It starts once for a whole file, and needs the client of S3, which is the largest. */
const maximumBytesOfBulkImport = 650_000;

/** The size of each function's bundle. */
export function measureBundles(): Row[] {
  return Object.keys(functionEntryPoints).map((name) => ({
    what: `bundle of ${name}`,
    unit: "B",
    measured: bytesOf(name),
    maximum: name === "bulkImport" ? maximumBytesOfBulkImport : maximumBytes,
  }));
}

function bytesOf(name: string): number {
  const directory = directoryOf(name);
  return readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
}
