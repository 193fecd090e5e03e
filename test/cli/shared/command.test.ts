import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { test } from "@jest/globals";
import * as z from "zod";
import { command, flag, type Io, idOption, option } from "../../../cli/shared/command.ts";

const usage = `npm run ops -- greeting send [OPTION]...
  --name NAME  whom to greet (required)
  --loudly     in capitals

Greets somebody.
`;
const Options = z.object({
  name: option(z.string("--name is missing."), "NAME", "whom to greet"),
  loudly: flag("in capitals"),
});

/** Runs a command with this work. */
async function run(args: string[], work: (options: z.infer<typeof Options>, io: Io) => Promise<number>) {
  const interruption = new AbortController();
  const written = { stdout: "", stderr: "" };
  const screen = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const io = { stdin: Readable.from([]), stdout: screen("stdout"), stderr: screen("stderr") };
  const main = command(
    { name: "greeting send", Options, about: "Greets somebody.", interrupted: "Interrupted." },
    async (options, given) => {
      if (options.name === "Ctrl-C") interruption.abort();
      return work(options, given);
    },
  );
  return { code: await main(args, { ...io, signal: interruption.signal }), ...written };
}

const nothing = () => assert.fail("The command must not start.");

test("--help and -h print the usage, even if a required option is missing", async () => {
  for (const help of ["--help", "-h"]) {
    assert.deepEqual(await run([help], nothing), { code: 0, stdout: usage, stderr: "" });
  }
});

test("an option that is empty or given twice is refused, because only the last would count", async () => {
  for (const [args, problem] of [
    [["--name", ""], "--name is empty."],
    [["--name="], "--name is empty."],
    [["--name", "Ada", "--name", "Bob"], "--name is given twice."],
    [["--name", "Ada", "--loudly", "--loudly"], "--loudly is given twice."],
  ] as const) {
    const stderr = `${problem} See npm run ops -- greeting send --help.\n`;
    assert.deepEqual(await run([...args], nothing), { code: 2, stdout: "", stderr });
  }
});

test("ids are whole numbers from 1, in digits", () => {
  const id = idOption("--organisation");
  for (const text of ["1", "1842", String(Number.MAX_SAFE_INTEGER)]) assert.equal(id.parse(text), Number(text));
  for (const text of ["", "0", "-1", "1.5", "1e3", "01", " 1", "+1", "0x1", "1,842", "9007199254740992", "١", "all"])
    assert.equal(id.safeParse(text).error?.issues[0]?.message, "--organisation must be an id.", text);
});

test("a file that cannot be written is reported in one line", async () => {
  const write = async () => {
    writeFileSync(import.meta.dirname, "");
    return 0;
  };
  const stderr = "EISDIR: illegal operation on a directory.\n";
  assert.deepEqual(await run(["--name", "Ada"], write), { code: 2, stdout: "", stderr });
});

test("an unexpected error keeps its stack, and the exit code is 2", async () => {
  const { code, stderr } = await run(["--name", "Ada"], () => Promise.reject(new RangeError("Out of range.")));
  assert.equal(code, 2);
  assert.match(stderr, /^RangeError: Out of range\.\n +at .+command\.test\.ts/);
});

test("an interruption is reported instead of the error that it causes, with exit code 130", async () => {
  const interrupted = { code: 130, stdout: "", stderr: "Interrupted.\n" };
  assert.deepEqual(await run(["--name", "Ctrl-C"], () => Promise.reject(new Error("Aborted."))), interrupted);
  assert.deepEqual(await run(["--name", "Ctrl-C"], async () => 0), interrupted);
});
