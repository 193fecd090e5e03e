import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const directories: string[] = [];

process.once("exit", () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** A new directory, which is removed after the last test of the file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "ticketing-test-"));
  directories.push(directory);
  return directory;
}
