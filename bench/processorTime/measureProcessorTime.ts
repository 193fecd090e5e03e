import { getEvent } from "../../functions/endpoints/getEvent.ts";
import { listEventDates } from "../../functions/endpoints/listEventDates.ts";
import { listEvents } from "../../functions/endpoints/listEvents.ts";
import { requestOf } from "../functions.ts";
import { generatedId } from "../generatedRecords.ts";
import type { RecordingProxy } from "../recordingProxy.ts";
import type { Row } from "../row.ts";
import { candidatesOf } from "./candidates.ts";
import { measureColdRequest } from "./measureColdRequest.ts";
import { type Effort, measureWarmRequest } from "./measureWarmRequest.ts";

/**
 * The processor time of requests, warm and cold, beside the same calls by an ordinary handler and without the SDK. The candidates take
 * turns. This process answers for DynamoDB, from memory.
 */
export async function* measureProcessorTime(key: string, proxy: RecordingProxy, effort: Effort): AsyncGenerator<Row> {
  const endpoints = [
    { endpoint: getEvent, ordinary: "ordinaryEvents" },
    { endpoint: listEvents, ordinary: "ordinaryEvents" },
    { endpoint: listEventDates, ordinary: "ordinaryDates" },
  ];
  for (const { endpoint, ordinary } of endpoints) {
    const candidates = await candidatesOf(endpoint, ordinary, key, proxy);
    yield* measureWarmRequest(endpoint, candidates, effort);
    const withoutCache = requestOf(endpoint, key, generatedId, { isCached: false });
    const further = { what: "ours, without compile caches", request: withoutCache };
    yield* measureColdRequest(endpoint, [...candidates, further], proxy, effort.rounds);
  }
}
