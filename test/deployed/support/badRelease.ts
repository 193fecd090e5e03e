import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { run } from "./run.ts";

const directories = ["functions", "lib", "packages", "deploy", ".github"];

/**
 * Clones this repository, with a last commit in which `GET /v1/key` fails.
 *
 * @returns the clone, and a function that returns it to the commit before, with the workflow's script.
 */
export async function checkOutBadRelease(): Promise<{ checkout: string; goBack: () => Promise<string> }> {
  const checkout = temporaryDirectory();
  const git = (...commandLine: string[]) =>
    run("git", ["-C", checkout, "-c", "user.name=release", "-c", "user.email=ops@example.org", ...commandLine], {});
  await run("git", ["clone", "--quiet", ".", checkout], {});
  // Includes changes that are not committed.
  for (const directory of directories) cpSync(directory, join(checkout, directory), { recursive: true });
  symlinkSync(resolve("node_modules"), join(checkout, "node_modules"));
  await git("add", ...directories);
  await git("commit", "--quiet", "--allow-empty", "-m", "A good release");
  const good = (await git("rev-parse", "HEAD")).trim();
  const file = join(checkout, "functions/endpoints/getKey.ts");
  const source = readFileSync(file, "utf8");
  const broken = source.replace("name: principal.keyName", "name: (undefined as never as { name: string }).name");
  if (broken === source) throw new Error(`${file} has changed: it no longer contains what a bad release breaks.`);
  writeFileSync(file, broken);
  await git("commit", "--quiet", "-am", "A bad release");
  return { checkout, goBack: () => run(".github/checkoutEarlier.sh", [good], {}, { cwd: checkout }) };
}
