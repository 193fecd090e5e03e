import { Readable } from "node:stream";
import type { Main } from "../../../cli/shared/command.ts";
import { documentClient } from "../../../cli/table/scanTable.ts";
import { dynamoDb } from "../../../functions/table/client.ts";
import { inChunks } from "./lines.ts";

export interface CommandOptions {
  cwd?: string;
  stdin?: string | Buffer;
  /** Undefined removes a variable. */
  environment?: NodeJS.ProcessEnv;
}

/** Runs a command of `cli/` in this process, and restores the environment and the working directory, which commands may change. */
export async function runInProcess(name: string, commandLine: string[], options: CommandOptions) {
  const { cwd = process.cwd(), stdin = "", environment = {} } = options;
  const { main }: { main: Main } = await import(`../../../cli/${name}.ts`);
  // The clients would keep the endpoint of their first request.
  for (const { config } of [dynamoDb(), documentClient()])
    config.serviceConfiguredEndpoint = async () => process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const written = { stdout: "", stderr: "" };
  const screen = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const before = { cwd: process.cwd(), environment: { ...process.env } };
  process.chdir(cwd);
  setEnvironment({ ...process.env, ...environment });
  try {
    const code = await main(commandLine, {
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
