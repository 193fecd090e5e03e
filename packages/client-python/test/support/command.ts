import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import * as z from "zod";
import { temporaryDirectory } from "../../../../test/support/temporaryDirectory.ts";

const run = promisify(execFile);
const readCopy = resolve(import.meta.dirname, "readCopy.py");

const Tables = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));
export type Tables = z.infer<typeof Tables>;

/** The end of a run of the command. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** The last line of stderr. On a slow machine, lines of progress come before it. */
  lastLine: string;
}

/** Installs the command from the wheel that a service serves, into an environment and a folder of its own. */
export async function installCommand(serviceUrl: string) {
  const directory = temporaryDirectory();
  const python = join(directory, "environment/bin/python");
  const { uv } = process.env;
  const [wheel = ""] =
    /\/clients\/ticketing_client-.*?\.whl/.exec(await (await fetch(`${serviceUrl}/llms.txt`)).text()) ?? [];
  await run("python3", ["-m", "venv", join(directory, "environment")]);
  // uv takes seconds where pip takes minutes.
  const pip =
    uv === undefined ? [python, "-m", "pip", "install"] : [`${uv}/bin/uv`, "pip", "install", "--python", python];
  const [program = "", ...words] = pip;
  await run(program, [...words, "--quiet", `ticketing-client[cli] @ ${serviceUrl}${wheel}`]);

  /** Starts the command in the folder, without a terminal. @param limit a shell's command before it. */
  function start(args: string[], environment: Record<string, string>, limit = "") {
    const command = join(directory, "environment/bin/ticketing");
    const child = spawn("sh", ["-c", `${limit} exec "$0" "$@"`, command, ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended: Promise<Ended> = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
      ([[code, signal], stdout, stderr]) => ({ code, signal, stdout, stderr, lastLine: lastLineOf(stderr) }),
    );
    return { child, ended };
  }

  return {
    directory,
    python,
    start,
    run: (args: string[], environment: Record<string, string>, limit?: string) => start(args, environment, limit).ended,
    /** The rows of a copy, by type. */
    async read(target: string): Promise<Tables> {
      const { stdout } = await run(python, [readCopy, target], { cwd: directory, maxBuffer: 2 ** 28 });
      return Tables.parse(JSON.parse(stdout));
    },
  };
}

function lastLineOf(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}

/** Compares the rows of a copy with those of the service, in the form that the target's format gives them. */
export function assertTables(target: string, actual: Tables, expected: Tables): void {
  const format = target.split(".").at(-1) ?? "";
  const sorted = (rows: Record<string, unknown>[] = []) => rows.sort((one, other) => Number(one.id) - Number(other.id));
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort());
  for (const [type, rows] of Object.entries(expected)) {
    const formatted = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, valueIn(format, value)])),
    );
    assert.deepEqual(sorted(actual[type]), sorted(formatted), `${target}: ${type}`);
  }
}

/** A value as a format has it: SQLite has 0 and 1 for booleans, and CSV has texts. */
function valueIn(format: string, value: unknown): unknown {
  if (format === "sqlite" && typeof value === "boolean") return value ? 1 : 0;
  return format === "csv" && value !== null && typeof value !== "object" ? String(value) : value;
}
