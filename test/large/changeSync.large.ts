import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, test } from "@jest/globals";
import { useLocalTable } from "../../local/localService.ts";
import { recordBalancePayment, syncChanges, ticketingClient } from "../../packages/client-typescript/index.ts";
import { feedWithKills } from "../support/feed/feedWithKills.ts";
import { cases } from "../support/jest/cases.ts";
import { startChildService } from "../support/service/childService.ts";
import { organisationId } from "../support/service/integratorStage.ts";
import {
  assertSameRows,
  deletionOf,
  marker,
  mirrorOf,
  putMarker,
  recordsOfAllTypes,
  sourceRows,
} from "../support/sync/mirror.ts";

/** Each id exists of all eight types. */
const ids = Array.from({ length: cases(200, 1_250) }, (_, index) => index + 1);
/** The parents of all records. */
const [eventId, dateId] = [1, 1];
const halfOfKills = 5;
const pageSizes = [1, 7, 50, 200, 1_000];

/** A record's line and when it is sent; every record is created before 1. */
interface Sent {
  line: string;
  time: number;
}

/** The lines of the records with an id: a quarter are changed, a tenth are deleted, and half of these are restored. Some come out of order. */
function history(id: number): Sent[] {
  const recordsWith = (text: string, version: number) =>
    recordsOfAllTypes(id, eventId, dateId, text).map((record) => ({ ...record, version }));
  const versions: { version: number; records: object[] }[] = [{ version: 1, records: recordsWith("first", 1) }];
  if (id % 4 === 0) versions.push({ version: 2, records: recordsWith("changed", 2) });
  if (id % 10 === 0) {
    const records = recordsWith("", 3).map((record) => ({ ...deletionOf(record), version: 3 }));
    versions.push({ version: 3, records });
  }
  if (id % 20 === 0) versions.push({ version: 4, records: recordsWith("restored", 4) });
  return versions.flatMap(({ version, records }) =>
    records.map((record) => ({ line: JSON.stringify(record), time: (version - 1) / 2 + Math.random() })),
  );
}

const isDeleted = (id: number) => id % 10 === 0 && id % 20 !== 0;

const service = await startChildService();
// Ends the mirror, too, if a write fails.
afterAll(() => service.stop());
const { description } = service;

test("a client's mirror of thousands of changing records equals the table while the consumer is killed", async () => {
  useLocalTable(description.dynamodb_endpoint, description.table_name);
  const organisation = description.organisations.find(({ organisation_id }) => organisation_id === organisationId);
  const apiKey = organisation?.keys.find(({ name }) => name === "All scopes")?.key ?? "";
  const client = ticketingClient({ baseUrl: description.base_url, apiKey });
  const syncClient = ticketingClient({ baseUrl: description.base_url, apiKey, fetch: withPageSizes });
  const mirror = mirrorOf((cursor) => syncChanges(syncClient, { cursor }));

  const sent = ids.flatMap(history).sort((one, other) => one.time - other.time);
  const feed = (part: Sent[]) =>
    feedWithKills(
      part.map(({ line }) => line),
      { recordsOfMessage: 10, kills: halfOfKills },
    );
  async function write(): Promise<void> {
    const hit = await feed(sent.filter(({ time }) => time < 1));
    // The reader must meet changes both of records that it has and of new ones.
    while (mirror.rows.size === 0) await wait(100);
    const [hitLater] = await Promise.all([feed(sent.filter(({ time }) => time >= 1)), writeThroughApi()]);
    console.log(`${sent.length} lines fed; ${hit + hitLater} batches were killed.`);
    assert.ok(hit > 0 && hitLater > 0);
    await putMarker(organisationId, marker(0));
  }
  /** Balance payments, and notes on orders that are never deleted. */
  async function writeThroughApi(): Promise<void> {
    for (const id of ids.filter((id) => id % 50 === 1)) {
      await recordBalancePayment(client, eventId, { type: "payment", amount: id });
      const body = { admin_note: `Note ${id}` };
      await client.PATCH("/v1/orders/{id}", { params: { path: { id } }, body });
    }
  }
  const [changes] = await Promise.all([mirror.follow(marker(0), () => Math.random() < 0.1), write()]);
  console.log(`${changes.length} changes read, of ${mirror.rows.size} resources.`);

  const source = await sourceRows(client, [eventId], [dateId]);
  const surviving = ids.filter((id) => !isDeleted(id)).length * 8 + ids.filter((id) => id % 50 === 1).length;
  assert.equal(source.length, surviving);
  assertSameRows(mirror.rows.values(), source);
});

/** Sends a request with another page size. */
function withPageSizes(request: Request): Promise<Response> {
  const url = new URL(request.url);
  url.searchParams.set("per_page", String(pageSizes[randomInt(pageSizes.length)]));
  return fetch(new Request(url, request));
}
