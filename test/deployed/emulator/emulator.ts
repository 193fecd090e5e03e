import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../support/http/listen.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";

const startTimeoutMs = 30_000;
const pollMs = 100;

/** A running emulator of AWS. */
export interface Emulator {
  endpoint: string;
  /** The file with the calls that functions made, one per line. */
  recordedCalls: string;
  stop: () => Promise<void>;
}

/** Starts ministack, or the command that MINISTACK names, on a free port. @throws Error if it does not start. */
export async function startEmulator(): Promise<Emulator> {
  const port = await freePort();
  const recordedCalls = join(temporaryDirectory(), "calls.ndjson");
  const child: ChildProcess = spawn(process.env.MINISTACK ?? "ministack", [], {
    // With an address instead of a name, the SDK puts buckets into paths.
    env: {
      ...process.env,
      GATEWAY_PORT: String(port),
      BIND_HOST: "127.0.0.1",
      IOT_MTLS_ENABLED: "0",
      LAMBDA_EXECUTOR: "local",
      LOG_LEVEL: "WARNING",
      // For its sitecustomize.py.
      PYTHONPATH: join(import.meta.dirname, "python"),
      RECORDED_CALLS: recordedCalls,
      // Its functions inherit this. Tests run without a log, but the deployed functions' logs are checked.
      POWERTOOLS_LOG_LEVEL: undefined,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  const keep = (chunk: Buffer) => {
    log += chunk;
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const ended = new Promise<string>((settle) => {
    child.once("error", (error) => settle(error.message));
    child.once("exit", (code) => settle(`exit code ${code}`));
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const endpoint = `http://127.0.0.1:${port}`;
  const tooLate = wait(startTimeoutMs, "it does not respond", { ref: false });
  const problem = await Promise.race([answering(endpoint), ended, tooLate]);
  if (problem !== undefined) throw new Error(`The emulator did not start: ${problem}.\n${log}`);
  const stop = async () => {
    kill();
    await once(child, "exit");
  };
  return { endpoint, recordedCalls, stop };
}

async function answering(endpoint: string): Promise<undefined> {
  while (!(await fetch(`${endpoint}/_ministack/health`).catch(() => undefined))?.ok) await wait(pollMs);
}
