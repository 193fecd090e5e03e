import { statSync } from "node:fs";
import { join } from "node:path";
import { cacheFile, codeFile } from "../functions/start/compileFunction.ts";
import { functionEntryPoints, s3User } from "../lib/bundleFunctions.ts";
import { directoryOf } from "./functions.ts";
import type { Row } from "./row.ts";

const maximumBytes = 465_000;
/** They start once for a file or a day, and need the client of S3, which is the largest. */
const maximumBytesWithS3 = 650_000;

const maximumCacheBytes = 900_000;

/** The size of each function's code, and of its compile cache. */
export function measureBundles(): Row[] {
  return Object.keys(functionEntryPoints).flatMap((name) => {
    const maximum = name === s3User ? maximumBytesWithS3 : maximumBytes;
    const cacheBytes = bytesOf(name, cacheFile);
    return [
      { what: `code of ${name}`, unit: "B", measured: bytesOf(name, codeFile) ?? 0, maximum },
      ...(cacheBytes === undefined
        ? []
        : [{ what: `compile cache of ${name}`, unit: "B", measured: cacheBytes, maximum: maximumCacheBytes }]),
    ];
  });
}

function bytesOf(name: string, file: string): number | undefined {
  return statSync(join(directoryOf(name), file), { throwIfNoEntry: false })?.size;
}
