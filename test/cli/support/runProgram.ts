import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { commandOf } from "../../../cli/ops.ts";
import { documentClient } from "../../../functions/table/client.ts";
import type { ServiceDescription } from "../../../local/localService.ts";
import { type FaultyProxy, startFaultyProxy } from "../../support/data/faultyProxy.ts";

export interface ProgramOptions extends CommandOptions {
  asProcess?: boolean;
  /** Leaves standard input open, like a terminal or a pipe that may bring more. */
  staysOpen?: boolean;
  /** Stops reading standard output after the first text, like `| head -1`. */
  closesOutput?: boolean;
  nodeOptions?: string[];
  /** Kills the process, with the signal that is the reason. */
  killedBy?: AbortSignal;
}

/** Runs a command of `npm run ops` to its end: in this process, or in a separate one if the options require that. */
export async function runProgram(name: string, commandLine: string[], options: ProgramOptions = {}) {
  const { asProcess = false, staysOpen = false, closesOutput = false, nodeOptions, killedBy } = options;
  const isProcess = asProcess || staysOpen || closesOutput || nodeOptions !== undefined || killedBy !== undefined;
  const { stderr, ...run } = await (isProcess ? runAsProcess : runInProcess)(name, commandLine, options);
  return { ...run, stderr: stderr.replaceAll(progressLines, "") };
}

/** A busy machine takes long enough for progress to be printed. */
const progressLines = /^[\d,]+ records, [\d,]+ a second\n/gm;

async function runAsProcess(name: string, commandLine: string[], options: ProgramOptions) {
  const program = resolve(import.meta.dirname, "../../../cli/ops.ts");
  const { cwd, stdin = "", environment = {}, nodeOptions = [], staysOpen, closesOutput, killedBy } = options;
  const child = spawn(process.execPath, [...nodeOptions, program, ...wordsOf(name), ...commandLine], {
    cwd,
    env: { ...process.env, ...environment },
  });
  killedBy?.addEventListener("abort", () => child.kill(killedBy.reason));
  // A program may end before it has read its input.
  child.stdin.on("error", () => undefined).write(stdin);
  if (!staysOpen) child.stdin.end();
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, "close"),
    closesOutput ? firstOf(child.stdout) : text(child.stdout),
    text(child.stderr),
  ]);
  return { code, signal, stdout, stderr };
}

async function firstOf(stdout: Readable): Promise<string> {
  const [first] = await once(stdout, "data");
  stdout.destroy();
  return String(first);
}

/** The words of a command's name. */
function wordsOf(name: string): string[] {
  return name.split(" ").filter(Boolean);
}

interface CommandOptions {
  cwd?: string;
  stdin?: string | Buffer;
  /** Undefined removes a variable. */
  environment?: NodeJS.ProcessEnv;
}

/** Runs a command in this process, and restores the environment and the working directory, which commands may change. */
async function runInProcess(name: string, commandLine: string[], options: CommandOptions) {
  const { cwd = process.cwd(), stdin = "", environment = {} } = options;
  const { main, args } = await commandOf([...wordsOf(name), ...commandLine]);
  // The clients would keep the endpoint of their first request.
  for (const { config } of [documentClient(), documentClient(2)])
    config.serviceConfiguredEndpoint = async () => process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const written = { stdout: "", stderr: "" };
  const screen = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const before = { cwd: process.cwd(), environment: { ...process.env } };
  process.chdir(cwd);
  setEnvironment({ ...process.env, ...environment });
  try {
    const code = await main(args, {
      stdin: Readable.from(inChunks(Buffer.from(stdin))),
      stdout: screen("stdout"),
      stderr: screen("stderr"),
      signal: new AbortController().signal,
    });
    return { code, signal: null, ...written };
  } finally {
    process.chdir(before.cwd);
    setEnvironment(before.environment);
  }
}

function setEnvironment(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (environment[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value;
}

/** Runs `npm run ops -- import ...` to its end. */
export function runImport(commandLine: string[], options: ProgramOptions = {}) {
  return runProgram("import", commandLine, options);
}

/** The options that name this process's table, by default without a proxy before it. */
export function atTable(endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB): string[] {
  return ["--endpoint", String(endpoint), "--table", String(process.env.TABLE_NAME)];
}

/** Runs a command on this process's table, which has these faults meanwhile. */
export async function runWithFaults(name: string, commandLine: string[], faultOf: FaultyProxy["faultOf"], stdin = "") {
  const proxy = await startFaultyProxy(String(process.env.AWS_ENDPOINT_URL_DYNAMODB));
  proxy.faultOf = faultOf;
  const result = await runProgram(name, [...commandLine, ...atTable(proxy.url)], { stdin });
  await proxy.close();
  return result;
}

/** Describes a running local service in a directory, as `npm start` does. */
export async function describeService(cwd: string, described: Partial<ServiceDescription>): Promise<void> {
  const urls = { base_url: "", docs_url: "", developer_area_url: "", issuer: "" };
  const local = { dynamodb_endpoint: "", table_name: "", feed_queue_url: "", feed_dead_letter_queue_url: "" };
  const description = { process_id: process.pid, ...urls, ...local, people: [], organisations: [], ...described };
  await mkdir(join(cwd, ".local"), { recursive: true });
  await writeFile(join(cwd, ".local/service.json"), JSON.stringify(description));
}

/** Runs `npm run ops -- smoke` with this API key. */
export function smoke(baseUrl: string, key: string | undefined, ...options: string[]) {
  return runInProcess("smoke", ["--base-url", baseUrl, ...options], { environment: { SMOKE_KEY: key } });
}

/** Records as NDJSON. */
export function ndjson(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Bytes as a stream of chunks. */
export async function* inChunks(bytes: Buffer, chunkBytes = 65_536): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}
