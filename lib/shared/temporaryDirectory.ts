import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const directories: string[] = [];
process.once("exit", () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Makes a directory that is deleted when the process exits. The CDK reads assets after their constructs are made. */
export function temporaryDirectory(prefix: string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  directories.push(directory);
  return directory;
}
