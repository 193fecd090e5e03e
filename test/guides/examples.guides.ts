import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { keys } from "../../functions/table/keys.ts";
import { paginate, ticketingClient } from "../../packages/client-typescript/index.ts";
import { dateRecord, orderRecord, ticketRecord } from "../support/data/records.ts";
import { deleteItems } from "../support/data/table.ts";
import { collect } from "../support/http/client.ts";
import { installClient } from "../support/package/installedClient.ts";
import { startChildService } from "../support/service/childService.ts";
import { eventIds, integratorStage, orderIds, organisationId, stageOrder } from "../support/service/integratorStage.ts";
import {
  deletionOf,
  type Row,
  recordsOfAllTypes,
  sortedRows,
  sourceRows,
  writeThroughApi,
} from "../support/sync/mirror.ts";
import { testClientPackage } from "./clientPackage.ts";
import { exampleIn, exampleRunner, type Guide, guides, type Language, languages } from "./guideExamples.ts";
import { mirrorFormats } from "./mirrors.ts";

// Not part of `npm test`, because a machine may lack curl or Python.
const stage = await integratorStage((await startChildService()).description);
const client = ticketingClient(stage);
const project = await installClient();
const runners: Awaited<ReturnType<typeof exampleRunner>>[] = [];
afterAll(() => Promise.all([project, ...runners].map(({ remove }) => remove())));

async function runnerOf(guide: Guide, language: Language, environment: Record<string, string> = {}) {
  const { baseUrl: BASE_URL, apiKey: API_KEY } = stage;
  const packages = join(project.directory, "node_modules");
  const runner = await exampleRunner(guide, language, { BASE_URL, API_KEY, ...environment }, packages);
  runners.push(runner);
  return runner;
}

test("the TypeScript examples compile with Node's types", async () => {
  const examples = guides.map(async (guide) => [`${guide}.ts`, await exampleIn(guide, "ts")] as const);
  const types = ["--types", "node", "--typeRoots", resolve(import.meta.dirname, "../../node_modules/@types")];
  const options = ["--module", "nodenext", "--lib", "es2022", ...types];
  await project.compile(Object.fromEntries(await Promise.all(examples)), options);
});

for (const language of languages) {
  test(`the ${language} example of authentication prints the key's organisation`, async () => {
    assert.equal(await (await runnerOf("authentication", language)).run(), `organisation ${organisationId}`);
  });

  test(`the ${language} example of paging counts the events of all pages`, async () => {
    assert.equal(await (await runnerOf("paging", language)).run(), `${eventIds.length} events`);
  });

  test(`the ${language} example of errors and retries prints the problem`, async () => {
    assert.equal(await (await runnerOf("errors-and-retries", language)).run(), "404 not_found");
  });
}

/** The parents of the records that the examples store. */
const [eventId, dateId] = [eventIds.length, 1];

/** Barcodes with a ticket, each with the decision at the door. */
const decisions = [
  { barcode: "0070", status: "valid", orderStatus: "paid", decision: "admit" },
  { barcode: "0071", status: "void", orderStatus: "paid", decision: "refuse" },
  { barcode: "0072", status: "valid", orderStatus: "refunded", decision: "refuse" },
  { barcode: "70", decision: "refuse" },
] as const;

for (const language of languages) {
  test(`the ${language} example of door scanning admits only a valid ticket of a paid order`, async () => {
    for (const [index, one] of decisions.entries()) {
      if ("status" in one) {
        const id = 9_000 + index;
        const { barcode, status, orderStatus } = one;
        await stage.put(
          orderRecord(organisationId, id, { status: orderStatus }),
          ticketRecord(organisationId, id, { event_id: eventId, date_id: dateId, order_id: id, barcode, status }),
        );
      }
      const { run } = await runnerOf("door-scanning", language, { BARCODE: one.barcode });
      assert.equal(await run(), one.decision, one.barcode);
    }
  });
}

for (const [index, language] of languages.entries()) {
  test(`the ${language} example of incremental sync keeps a mirror equal to the source`, async () => {
    const { directory, run } = await runnerOf("incremental-sync", language);
    const assertEqual = async () => {
      const mirror = await mirrorFormats[language].rows(directory);
      expect(sortedRows(mirror)).toEqual(sortedRows(await sourceRows(client, [eventId], [dateId])));
    };
    const recordsOf = (id: number, text: string) => recordsOfAllTypes(1_000 * (index + 1) + id, eventId, dateId, text);
    const [first, second] = [recordsOf(1, "first"), recordsOf(2, "second")];
    await stage.put(dateRecord(organisationId, eventId, dateId), ...first, ...second);
    await run();
    await assertEqual();

    await stage.remove(...first.map(deletionOf));
    await stage.put(...recordsOf(2, "changed"), ...recordsOf(3, "new"));
    await writeThroughApi(client, stage, { eventId, orderId: orderIds[index] ?? 0 });
    assert.equal(await run(), `${3 * first.length + 2} changes`);
    await assertEqual();

    await stage.remove(...second.map(deletionOf));
    await stage.put(...recordsOf(1, "restored"), ...recordsOf(3, "new"));
    assert.equal(await run(), `${2 * first.length} changes`);
    await assertEqual();
    assert.equal(await run(), "0 changes");
    await assertEqual();
  });

  test(`the ${language} example of incremental sync starts over when its cursor has expired`, async () => {
    const { directory, run } = await runnerOf("incremental-sync", language);
    const { rows, setCursor } = mirrorFormats[language];
    const order = stageOrder(10_000 + index);
    await stage.put(order);
    await run();
    const mirror = sortedRows(await rows(directory));
    // As if the deletion was no longer shown.
    await deleteItems([{ ...keys.order(organisationId, order.data.id) }]);
    await setCursor(directory, await stage.expiredCursor());
    assert.notEqual(await run(), "0 changes");
    const isGone = ({ type, id }: Row) => type === "order" && id === order.data.id;
    expect(sortedRows(await rows(directory))).toEqual(mirror.filter((row) => !isGone(row)));
    assert.ok(mirror.some(isGone));
    assert.equal(await run(), "0 changes");
  });
}

// After the examples of the sync, which shows the changes of these only after a while.
for (const [index, language] of languages.entries()) {
  test(`the ${language} example of idempotent writes records a payment once`, async () => {
    const id = eventIds[index] ?? 0;
    const { run } = await runnerOf("idempotent-writes", language, { EVENT_ID: String(id) });
    assert.equal(await run(), "balance 1250, and again 1250");
    assert.equal(await run(), "balance 2500, and again 2500");
    const records = paginate(client, "/v1/events/{id}/balance-payments", { params: { path: { id } } });
    const balances = (await collect(records)).map(({ balance_after }) => balance_after);
    assert.deepEqual(balances, [2500, 1250]);
  });

  test(`the ${language} example of conditional updates changes only the version that it has read`, async () => {
    const id = orderIds[index] ?? 0;
    const { run } = await runnerOf("conditional-updates", language, { ORDER_ID: String(id) });
    assert.equal(await run(), "200, then 412");
    const { data } = await client.GET("/v1/orders/{id}", { params: { path: { id } } });
    assert.equal(data.admin_note, "Wheelchair place");
  });
}

testClientPackage(project, stage);
