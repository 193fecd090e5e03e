import { statSync } from "node:fs";
import { join } from "node:path";
import { clientFile, functionEntryPoints, s3User } from "../lib/bundleFunctions.ts";
import { directoryOf } from "./functions.ts";
import type { Row } from "./row.ts";

const maximumBytes = 416_000;
/** {@link s3User} starts once per file, and needs S3's client, the largest. */
const maximumBytesWithS3 = 525_000;
const maximumClientBytes = 196_000;

/** The size of each function's code, and of the client that all of them load when they need it. */
export function measureBundles(): Row[] {
  const codes = Object.keys(functionEntryPoints).map((name) => ({
    what: `code of ${name}`,
    unit: "B",
    measured: bytesOf(name, "index.js"),
    maximum: name === s3User ? maximumBytesWithS3 : maximumBytes,
  }));
  const client = { what: "code of the document client", unit: "B", measured: bytesOf(s3User, clientFile) };
  return [...codes, { ...client, maximum: maximumClientBytes }];
}

function bytesOf(name: string, file: string): number {
  return statSync(join(directoryOf(name), file)).size;
}
