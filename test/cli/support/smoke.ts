import { runInProcess } from "./runInProcess.ts";

/** Runs `npm run smoke` with this API key. */
export function smoke(baseUrl: string, key: string | undefined, ...options: string[]) {
  return runInProcess("smoke/smoke", ["--base-url", baseUrl, ...options], { environment: { SMOKE_KEY: key } });
}
