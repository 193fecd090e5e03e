import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface Child<Answer> {
  /** The next message from it. */
  answer: () => Promise<Answer>;
  send: (message: object) => void;
  stop: () => Promise<void>;
}

/**
 * Starts a file of this directory in a process of its own, which ends with this one at the latest.
 * What it writes to standard output is thrown away, as cheaply as can be.
 */
export function startChild<Answer>(
  file: string,
  argument: unknown,
  environment: NodeJS.ProcessEnv = {},
): Child<Answer> {
  const child: ChildProcess = fork(join(import.meta.dirname, file), [JSON.stringify(argument)], {
    env: { ...process.env, POWERTOOLS_METRICS_NAMESPACE: "bench", ...environment },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "exit").finally(() => process.off("exit", kill));
  return {
    async answer() {
      const failed = ended.then(() => Promise.reject(new Error(`bench/${file} ended.`)));
      const [message] = await Promise.race([once(child, "message"), failed]);
      return message;
    },
    send: (message) => void child.send(message),
    async stop() {
      kill();
      await ended;
    },
  };
}
