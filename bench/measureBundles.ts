import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { directoryOf, functionNames } from "./functions.ts";
import type { Row } from "./row.ts";

const maximumBytes = 450_000;
/** Starts once for a whole file, and needs the client of S3, the largest there is. */
const maximumBytesOfBulkImport = 650_000;

/** How large each function is, all of its files together. */
export function measureBundles(): Row[] {
  const bare = bytesOf("bare");
  return functionNames.map((name) => ({
    what: `bundle of ${name}`,
    unit: "B",
    measured: bytesOf(name),
    baseline: bare,
    maximum: name === "bulkImport" ? maximumBytesOfBulkImport : maximumBytes,
    kind: "count",
  }));
}

function bytesOf(name: string): number {
  const directory = directoryOf(name);
  return readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
}
