import { spawnSync } from "node:child_process";
import {
  cpSync,
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
import { type Mutant, readMutants, root, withBug } from "./mutants.ts";

/*
 * `npm run mutants -- FOLDER...` injects the listed bugs in these folders, one by one, into a copy of the checkout, and prints which test
 * fails. Exits with 1 if a bug lives.
 */

/** A bug that makes a test wait endlessly is noticed, too. */
const patienceMs = 15 * 60_000;

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

/** Runs tests, also slow ones, until one fails. @returns the name of a failed test, and its file; undefined if none failed. */
function failureOf(copy: string, options: string[]): string | undefined {
  const { status, signal, stderr } = spawnSync(
    "npm",
    ["run", "jest", "--", "--bail", "--passWithNoTests", ...options],
    {
      ...{ cwd: copy, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8", maxBuffer: 2 ** 28 },
      ...{ timeout: patienceMs, env: { ...process.env, SLOW: "1" } },
    },
  );
  if (signal) return "a time-out";
  if (status === 0) return undefined;
  const [, file] = /^FAIL \w+ (\S+)/m.exec(stderr) ?? [];
  const [, name] = /^ {2}● (?!Console$)(.*)$/m.exec(stderr) ?? [];
  if (file === undefined || name === undefined) throw new Error(`jest failed:\n${stderr.slice(-2_000)}`);
  return `${name} (${file})`;
}

const unit = ["--selectProjects", "unit", "--maxWorkers", "3"];

/** The tests of the file's own name, or else of its folder. Stacks are tested as a whole. */
function ownTests(copy: string, { file }: Mutant): string[] {
  const [, workspace] = /^(packages\/[^/]+)\//.exec(file) ?? [];
  const whole = workspace ? `${workspace}/test/**` : file.startsWith("lib/") && "test/lib/**";
  const folder = whole || `test/${dirname(file)}`;
  const named = globSync(`${folder}/${basename(file, ".ts")}*.test.ts`, { cwd: copy });
  return named.length > 0 ? named : globSync(`${folder}/*.test.ts`, { cwd: copy });
}

function failureOfOwn(copy: string, tests: string[]): string | undefined {
  return tests.length > 0 ? failureOf(copy, [...unit, "--runTestsByPath", ...tests]) : undefined;
}

/** Injects a bug while tests run. @returns what notices it. */
function killerOf(copy: string, mutant: Mutant, lives: string, run: () => string | undefined): string | undefined {
  const path = join(copy, mutant.file);
  const original = readFileSync(path, "utf8");
  writeFileSync(path, withBug(mutant, original));
  const killer = run();
  writeFileSync(path, original);
  const fate = killer === undefined ? lives : `killed by: ${killer}`;
  process.stdout.write(`${mutant.id.padEnd(28)} ${mutant.file.padEnd(44)} ${fate}\n`);
  return killer;
}

function main(folders: string[]): number {
  const isWanted = ({ file }: Mutant) =>
    folders.length === 0 || folders.some((folder) => `${file}/`.startsWith(`${folder.replace(/\/$/, "")}/`));
  const mutants = Object.values(readMutants()).flat().filter(isWanted);
  const [first] = mutants;
  if (!first) throw new Error("No listed bug is in these folders.");
  const copy = copyCheckout();
  try {
    // In a copy that is broken, every bug would seem to be noticed.
    const failure = failureOfOwn(copy, ownTests(copy, first));
    if (failure !== undefined) throw new Error(`Without a bug, this fails: ${failure}`);
    const left = mutants.filter(
      (mutant) =>
        killerOf(
          copy,
          mutant,
          "left for all tests",
          () =>
            failureOfOwn(copy, ownTests(copy, mutant)) ?? failureOf(copy, [...unit, "--findRelatedTests", mutant.file]),
        ) === undefined,
    );
    if (left.length > 0) process.stdout.write(`\nAll tests, with each of the ${left.length} bugs that are left:\n`);
    const everything = ["--selectProjects", "unit", "journeys", "--maxWorkers", "3"];
    const living = left.filter(
      (mutant) => killerOf(copy, mutant, `LIVES: ${mutant.breaks}`, () => failureOf(copy, everything)) === undefined,
    );
    process.stdout.write(`\n${mutants.length - living.length} of ${mutants.length} bugs were noticed.\n`);
    return Math.min(living.length, 1);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

process.exitCode = main(process.argv.slice(2));
