import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * The processor time that a new process takes to load a bundle and, with an event, to call its handler once. It excludes the start of
 * Node itself.
 */
export async function processorTime(directory: string, environment: Record<string, string> = {}, event?: object) {
  // Lambda's runtime has opened the streams before it loads a function.
  const program = `
    process.stdout; process.stderr;
    const before = process.cpuUsage();
    const { handler } = await import(${JSON.stringify(`${directory}/index.js`)});
    const event = ${JSON.stringify(event ?? null)};
    const answer = event && (await handler(event, { getRemainingTimeInMillis: () => 8_000 }));
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ milliseconds: (user + system) / 1_000, answer }));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    // Functions log as they do when deployed.
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: "INFO", POWERTOOLS_METRICS_NAMESPACE: "bench", ...environment },
  });
  const [line = ""] = stdout.trimEnd().split("\n").slice(-1);
  return JSON.parse(line);
}
