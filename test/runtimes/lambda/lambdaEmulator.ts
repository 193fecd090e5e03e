import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { freePort } from "../../support/http/listen.ts";
import type { DeployedFunction } from "./deployedFunctions.ts";

const startTimeoutMs = 60_000;
const pollMs = 20;

const Tools = z.object({ LAMBDA_EMULATOR: z.string(), LAMBDA_RUNTIME_CLIENT: z.string() });

/**
 * Calls a function once in a new environment: in AWS's runtime interface client for Node, under AWS's runtime interface emulator. It has only the
 * variables that Lambda and the template set. The emulator enforces the timeout, but not the memory.
 *
 * @param directory the function's code.
 * @returns what the function returns, or Lambda's error with `errorType` and `errorMessage`; and the emulator's log.
 */
export async function callOnce(
  { handler, timeoutSeconds, memoryMiB, variables }: DeployedFunction,
  directory: string,
  event: unknown,
): Promise<{ answer: unknown; log: string }> {
  const { LAMBDA_EMULATOR, LAMBDA_RUNTIME_CLIENT } = Tools.parse(process.env, {
    error: () => "Run `.ci/run runtimes`, which builds the emulator and the client.",
  });
  const [port, runtimePort] = [await freePort(), await freePort()];
  const addresses = ["--runtime-interface-emulator-address", `127.0.0.1:${port}`, "--runtime-api-address"];
  const commandLine = [...addresses, `127.0.0.1:${runtimePort}`, process.execPath, LAMBDA_RUNTIME_CLIENT, handler];
  const child = spawn(LAMBDA_EMULATOR, commandLine, {
    cwd: directory,
    env: {
      LAMBDA_TASK_ROOT: directory,
      AWS_LAMBDA_FUNCTION_TIMEOUT: String(timeoutSeconds),
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMiB),
      AWS_LAMBDA_LOG_FORMAT: "JSON",
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      TZ: ":UTC",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      log += chunk;
    });
  // The emulator ends the runtime when it gets SIGTERM.
  const end = () => child.kill();
  process.once("exit", end);
  const ended = once(child, "exit");
  try {
    return { answer: await call(port, JSON.stringify(event), ended), log };
  } catch (error) {
    throw new Error(`The emulator did not call the function.\n${log}`, { cause: error });
  } finally {
    end();
    await ended;
    process.off("exit", end);
  }
}

async function call(port: number, body: string, ended: Promise<unknown>): Promise<unknown> {
  const url = `http://127.0.0.1:${port}/2015-03-31/functions/function/invocations`;
  const signal = AbortSignal.timeout(startTimeoutMs);
  const tooEarly = ended.then(() => Promise.reject(new Error("The emulator ended.")));
  for (;;) {
    const response = await Promise.race([fetch(url, { method: "POST", body, signal }), tooEarly]).catch((error) => {
      if (error.cause?.code !== "ECONNREFUSED") throw error;
    });
    // Parsed here, because fetch would parse it into objects of another realm, which are not deeply equal.
    if (response) return JSON.parse(await response.text());
    await wait(pollMs);
  }
}
