import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { s3Users } from "../lib/bundleFunctions.ts";
import { functionEntryPoints } from "../lib/functionEntryPoints.ts";
import { directoryOf } from "./functions.ts";
import type { Row } from "./row.ts";

const maximumBytes = 450_000;
/** They start once for a file or a day, and need the client of S3, which is the largest. */
const maximumBytesWithS3 = 650_000;

/** The size of each function's bundle. */
export function measureBundles(): Row[] {
  return Object.keys(functionEntryPoints).map((name) => ({
    what: `bundle of ${name}`,
    unit: "B",
    measured: bytesOf(name),
    maximum: s3Users.includes(name) ? maximumBytesWithS3 : maximumBytes,
  }));
}

function bytesOf(name: string): number {
  const directory = directoryOf(name);
  return readdirSync(directory).reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
}
