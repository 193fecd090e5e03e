import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import * as z from "zod";
import { splitImport } from "../../../../functions/feed/bulkImport.ts";
import { type ImportObject, ImportReport } from "../../../../functions/feed/importObject.ts";
import type { PackedMessage } from "../../../../functions/feed/messagePacker.ts";
import { type ObjectStore, useObjectStore } from "../../../support/aws/objectStore.ts";
import { eventRecord } from "../../../support/data/records.ts";

export const key = "imports/a.ndjson";
export const reportKey = "reports/a.ndjson.json";

export let store: ObjectStore;
beforeAll(async () => {
  store = await useObjectStore();
});
afterAll(() => store.close());
beforeEach(() => startAnew());

/** Clears the report, the faults and the recorded requests. */
export function startAnew(): void {
  store.delete(reportKey);
  store.faultOf = () => undefined;
  store.requests.length = 0;
}

/** Splits an object. @param sent gets the texts of all records that are sent. */
export function split(
  object: ImportObject,
  sent: string[],
  { deadline = new AbortController().signal, onMessage = () => {}, savedEveryBytes = 200 } = {},
) {
  const send = async ({ body }: PackedMessage) => {
    for (const record of z.array(z.unknown()).parse(JSON.parse(body))) sent.push(JSON.stringify(record));
    onMessage();
  };
  return splitImport({ object, reportKey, send, deadline }, savedEveryBytes);
}

/** A run that is stopped after this number of messages, or killed before the last message is confirmed. */
export async function splitInPart(
  object: ImportObject,
  sent: string[],
  messages: number,
  isKilled: boolean,
): Promise<void> {
  const stop = new AbortController();
  if (messages === 0) stop.abort();
  let left = messages;
  const onMessage = () => {
    left -= 1;
    if (left > 0) return;
    if (isKilled) throw new Error("Killed.");
    stop.abort();
  };
  await split(object, sent, { deadline: stop.signal, onMessage }).catch((error: Error) => {
    assert.equal(error.message, "Killed.");
  });
}

export function savedReport(): ImportReport {
  return ImportReport.parse(JSON.parse(store.get(reportKey) ?? ""));
}

/** The part of a report that is equal for equal runs. */
export function withoutDates({ date_started, date_updated, ...report }: ImportReport) {
  assert.ok(date_started <= date_updated);
  return report;
}

export const good = (id: number, name = "ü€😀") => JSON.stringify(eventRecord(1, id, { name }));
export const goodLines = (count: number) => Array.from({ length: count }, (_, index) => good(index + 1));
export const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
