import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Request } from "../makeRequest.ts";

/** Starts a process that repeats a request. Its output is discarded; it ends with this process at the latest. */
export function startWorker(request: Request) {
  const child = fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(request)], {
    // Functions log as they do when deployed.
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: "INFO", POWERTOOLS_METRICS_NAMESPACE: "bench" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("A worker ended.")));
  ended.catch(() => undefined);
  return {
    /** Makes this number of requests and returns the processor time of one, in microseconds. */
    async measure(requests: number): Promise<number> {
      child.send(requests);
      const [microseconds] = await Promise.race([once(child, "message"), ended]);
      return microseconds;
    },
    stop: () => child.disconnect(),
  };
}
