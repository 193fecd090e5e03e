import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { type Mutant, readMutants, root, withBug } from "./mutants.ts";

/*
 * `npm run mutants -- FOLDER...` injects the listed bugs in these folders, one by one, into a copy of the checkout, and prints which test
 * fails. Exits with 1 if a bug lives.
 */

/** A bug that makes a test wait endlessly is noticed, too. */
const patienceMs = 15 * 60_000;

const Results = z.object({
  success: z.boolean(),
  testResults: z.array(
    z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) }),
  ),
});

/** Links the packages; the links to the workspaces lead to the copy's own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name.startsWith("@")) linkPackages(source, target);
    else symlinkSync(entry.isSymbolicLink() ? readlinkSync(source) : source, target);
  }
}

function copyCheckout(): string {
  const copy = mkdtempSync(join(tmpdir(), "mutants-"));
  const isSource = (path: string) => !["node_modules", ".local", "cdk.out"].includes(basename(path));
  cpSync(root, copy, { recursive: true, filter: isSource });
  for (const modules of globSync("{.,packages/*}/node_modules", { cwd: root }))
    linkPackages(join(root, modules), join(copy, modules));
  return copy;
}

/** Runs tests until one fails. @returns the name of a failed test, and its file; undefined if none failed. */
function failureOf(copy: string, options: string[], env: Record<string, string> = {}): string | undefined {
  const outputFile = join(copy, "results.json");
  rmSync(outputFile, { force: true });
  const jest = ["run", "jest", "--", "--bail", "--passWithNoTests", "--json", "--outputFile", outputFile, ...options];
  const { signal } = spawnSync("npm", jest, {
    ...{ cwd: copy, stdio: "ignore", timeout: patienceMs, env: { ...process.env, ...env } },
  });
  if (signal) return "a time-out";
  if (!existsSync(outputFile)) throw new Error(`jest did not run: ${options.join(" ")}`);
  const { success, testResults } = Results.parse(JSON.parse(readFileSync(outputFile, "utf8")));
  if (success) return undefined;
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ status, fullName }) =>
      status === "failed" ? [`${fullName} (${basename(name)})`] : [],
    ),
  );
  return failures[0] ?? "a file that does not load";
}

const everything = ["--selectProjects", "unit", "journeys", "--maxWorkers", "3"];

/** First the file's own tests, then those that import it, then all others. */
function killerOf(copy: string, { file }: Mutant): string | undefined {
  const name = basename(file, ".ts");
  const [, workspace] = /^(packages\/[^/]+)\//.exec(file) ?? [];
  const folder = workspace ? `${workspace}/test/**` : `test/${dirname(file)}`;
  const own = globSync(`${folder}/${name}*.test.ts`, { cwd: copy });
  const unit = ["--selectProjects", "unit"];
  return (
    (own.length > 0 ? failureOf(copy, [...unit, "--runTestsByPath", ...own], { SLOW: "1" }) : undefined) ??
    failureOf(copy, [...unit, "--maxWorkers", "3", "--findRelatedTests", file]) ??
    failureOf(copy, everything)
  );
}

function run(folders: string[]): number {
  const isWanted = ({ file }: Mutant) =>
    folders.length === 0 || folders.some((folder) => `${file}/`.startsWith(`${folder.replace(/\/$/, "")}/`));
  const mutants = Object.values(readMutants()).flat().filter(isWanted);
  if (mutants.length === 0) throw new Error("No listed bug is in these folders.");
  const copy = copyCheckout();
  let living = 0;
  try {
    const failure = failureOf(copy, everything);
    if (failure !== undefined) throw new Error(`Without a bug, this fails: ${failure}`);
    for (const mutant of mutants) {
      const path = join(copy, mutant.file);
      const original = readFileSync(path, "utf8");
      writeFileSync(path, withBug(mutant, original));
      const killer = killerOf(copy, mutant);
      writeFileSync(path, original);
      if (killer === undefined) living += 1;
      const fate = killer === undefined ? `LIVES: ${mutant.breaks}` : `killed by: ${killer}`;
      process.stdout.write(`${mutant.id.padEnd(36)} ${mutant.file.padEnd(48)} ${fate}\n`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  process.stdout.write(`${mutants.length - living} of ${mutants.length} bugs were noticed.\n`);
  return Math.min(living, 1);
}

process.exitCode = run(process.argv.slice(2));
