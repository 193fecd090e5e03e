import { endpoints } from "../../functions/endpoints/index.ts";
import { directoryOf } from "../functions.ts";
import { median } from "../median.ts";
import type { Row } from "../row.ts";
import { processorTime } from "./inNewProcess.ts";

/** The processor time to load the bundle of each function on the request path in a new process. Bundles take turns. */
export async function* measureInitialisation(rounds: number): AsyncGenerator<Row> {
  const functions = ["apiKeyAuthorizer", "superAdminAuthorizer", ...endpoints.map(({ operationId }) => operationId)];
  const names = ["bare", "withoutSdk", "ordinaryAuthorizer", "ordinaryEvents", ...functions];
  const bundles = [
    ...names.map((name) => ({ what: name, directory: directoryOf(name) })),
    ...["apiKeyAuthorizer", "getEvent"].map((name) => ({
      what: `${name} without its compile cache`,
      directory: directoryOf(name, { isCached: false }),
    })),
  ];
  const taken = bundles.map((bundle) => ({ ...bundle, milliseconds: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { directory, milliseconds } of taken) milliseconds.push((await processorTime(directory)).milliseconds);
  }
  const [baseline] = taken.map(({ milliseconds }) => median(milliseconds));
  for (const { what, milliseconds } of taken) {
    yield { what: `processor time to load ${what}`, unit: "ms", measured: median(milliseconds), baseline };
  }
}
