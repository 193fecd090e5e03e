import { existsSync } from "node:fs";

/** The path of the real data set, which is not part of the repository. */
export function realDataFile(): string {
  const { REAL_DATA_FILE: file } = process.env;
  if (file === undefined) throw new Error("REAL_DATA_FILE must be the path of the real data set.");
  if (!existsSync(file)) throw new Error(`REAL_DATA_FILE is ${file}, which does not exist.`);
  return file;
}
