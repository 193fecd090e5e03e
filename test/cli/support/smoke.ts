import { runInProcess } from "./runInProcess.ts";

/** Runs `npm run smoke` with this API key. */
export function smoke(baseUrl: string, key: string | undefined, ...options: string[]) {
  return runInProcess("deploy/smokeTest", ["--base-url", baseUrl, ...options], { environment: { SMOKE_KEY: key } });
}
