import { endpoints } from "../../functions/endpoints/index.ts";
import { directoryOf } from "../functions.ts";
import type { Row } from "../row.ts";
import { processorTime } from "./inNewProcess.ts";
import { inTurns } from "./inTurns.ts";

/** The processor time to load the bundle of each function on the request path in a new process. */
export function measureInitialisation(rounds: number): AsyncGenerator<Row> {
  const functions = ["apiKeyAuthorizer", "superAdminAuthorizer", ...endpoints.map(({ operationId }) => operationId)];
  const names = ["bare", "withoutSdk", "ordinaryAuthorizer", "ordinaryEvents", ...functions];
  const bundles = [
    ...names.map((name) => ({ what: `processor time to load ${name}`, directory: directoryOf(name) })),
    ...["apiKeyAuthorizer", "getEvent"].map((name) => ({
      what: `processor time to load ${name} without its compile cache`,
      directory: directoryOf(name, { isCached: false }),
    })),
  ];
  return inTurns(bundles, rounds, "ms", async ({ directory }) => (await processorTime(directory)).milliseconds);
}
