import { statSync } from "node:fs";
import { join } from "node:path";
import { clientFile, functionEntryPoints, s3User } from "../lib/bundleFunctions.ts";
import { directoryOf } from "./functions.ts";
import type { Row } from "./row.ts";

const maximumBytes = 412_000;
/** It starts once for a file, and needs the client of S3, which is the largest. */
const maximumBytesWithS3 = 525_000;
/** With the SDK of the Model Context Protocol. */
const maximumBytesOfMcp = 426_500;
const maximumClientBytes = 196_000;

/** The size of each function's code, and of the client that all of them load when they need it. */
export function measureBundles(): Row[] {
  const codes = Object.keys(functionEntryPoints).map((name) => ({
    what: `code of ${name}`,
    unit: "B",
    measured: bytesOf(name, "index.js"),
    maximum: { [s3User]: maximumBytesWithS3, mcp: maximumBytesOfMcp }[name] ?? maximumBytes,
  }));
  const client = { what: "code of the document client", unit: "B", measured: bytesOf(s3User, clientFile) };
  return [...codes, { ...client, maximum: maximumClientBytes }];
}

function bytesOf(name: string, file: string): number {
  return statSync(join(directoryOf(name), file)).size;
}
