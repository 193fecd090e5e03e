import assert from "node:assert/strict";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, jest, test } from "@jest/globals";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { logger } from "../../../functions/log/logger.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { events } from "../../../functions/resources/event.ts";
import { resources } from "../../../functions/resources/index.ts";
import { orders } from "../../../functions/resources/order.ts";
import { tickets } from "../../../functions/resources/ticket.ts";
import { ticketCategories } from "../../../functions/resources/ticketCategory.ts";
import { documentClient } from "../../../functions/table/client.ts";
import { type ItemKey, itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem, updateOf } from "../../../functions/table/writes.ts";
import { pagesOf } from "../../support/data/pages.ts";
import { categoryRecord, eventRecord, orderRecord, ticketRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { putRecords, tableAt } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const query = { per_page: 50, cursor: undefined };
const records = [
  ...[1, 2, 3].map((id) => eventRecord(1, id, { name: `Event ${id}`, date_created: `2026-01-0${id}` })),
  categoryRecord(1, 1, 2),
  orderRecord(1, 2, { event_id: 1 }),
  ...[1, 2, 3].map((id) => ticketRecord(1, id, { order_id: 2, barcode: "B" })),
];
let errors: jest.SpiedFunction<typeof logger.error>;

beforeEach(async () => {
  errors = jest.spyOn(logger, "error").mockImplementation(() => undefined);
  await useTestTable();
  await putRecords(records);
});

const set = (key: ItemKey, fields: Record<string, unknown>) => updateItem(openTable(), key, updateOf({ set: fields }));
const remove = (key: ItemKey, ...fields: string[]) =>
  updateItem(openTable(), key, updateOf({ set: { edited: true }, remove: fields }));
/** Stores a type of DynamoDB's that this service does not know. */
const setForeign = (key: ItemKey, name: string) =>
  documentClient().send(
    new UpdateCommand({
      TableName: openTable().name(),
      Key: key,
      UpdateExpression: "SET #name = :value",
      ExpressionAttributeNames: { "#name": name },
      ExpressionAttributeValues: { ":value": new Set(["a"]) },
    }),
  );

async function listEvents() {
  const { data, pagination } = await repositoryOf(events)(1, openTable()).all(query);
  assert.ok(!pagination.has_more);
  return data.map(({ id }) => id);
}
/** The changes that `GET /v1/changes` shows half a minute later. */
async function listChanges(perPage = 50) {
  const table = tableAt(() => Date.now() + 30_000);
  const all: string[] = [];
  const query = { types: "event,ticket_category,order,ticket", per_page: String(perPage) };
  const list = (cursor?: string) => changeRepository(1, table).list(ChangesQuery.parse({ ...query, cursor }));
  for await (const { data } of pagesOf(list)) all.push(...data.map(({ type, id }) => `${type} ${id}`));
  return all;
}
// Jest makes its own arrays outside of the test's realm.
const loggedItems = () => [...errors.mock.calls].map(([, fields]) => Object(fields).item.PK);

const key = itemKeys.event(1, 2);

describe("a damaged item hides nothing else", () => {
  const damages: Record<string, () => Promise<unknown>> = {
    "without a field": () => remove(key, "name"),
    "with null in a field that is never null": () => set(key, { name: null }),
    "with a number for a text": () => set(key, { name: 7 }),
    "with a text for a number": () => set(key, { venue_id: "7" }),
    "with a fraction for an integer": () => set(key, { venue_id: 7.5 }),
    "with an object for a text": () => set(key, { description: { a: 1 } }),
    "with a set, which this service never stores": () => setForeign(key, "tag"),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`${name}: lists and changes leave it out and log its key without values, and by its id it is an error`, async () => {
      await damage();
      assert.deepEqual(await listEvents(), [3, 1]);
      assert.deepEqual(loggedItems(), [key.PK]);
      assert.ok(!JSON.stringify(errors.mock.calls).includes("Event 2"));
      for (const perPage of [1, 50]) {
        const all = await listChanges(perPage);
        assert.equal(all.length, records.length - 1);
        assert.ok(!all.includes("event 2") && all.includes("event 3"));
      }
      await assert.rejects(repositoryOf(events)(1, openTable()).get(2), { name: "ZodError" });
    });
  }
});

describe("with a damaged item", () => {
  test("a category without its event is in its list, and not in the changes", async () => {
    await remove(itemKeys.ticket_category(1, 2), "event_id");
    assert.equal((await repositoryOf(ticketCategories)(1, openTable()).ofEvent(1, query)).data.length, 1);
    assert.ok(!(await listChanges()).includes("ticket_category 2"));
  });

  test("an order shows its other tickets, and a ticket that names a damaged order shows null for it", async () => {
    await set(itemKeys.ticket(1, 2), { price: "7" });
    const { tickets: shown } = await repositoryOf(orders, resources)(1, openTable()).get(2);
    assert.deepEqual(
      shown?.map(({ id }) => id),
      [1, 3],
    );
    await set(itemKeys.order(1, 2), { total: "7" });
    const page = await repositoryOf(tickets, resources)(1, openTable()).byBarcode("B", { ...query, expand: ["order"] });
    assert.deepEqual(
      page.data.map(({ id, order }) => [id, order]),
      [
        [1, null],
        [3, null],
      ],
    );
  });

  test("sending its record again repairs it, after removing what identifies its content, and is a change", async () => {
    const record = eventRecord(1, 2, { name: "Event 2", date_created: "2026-01-02" });
    await remove(key, "name");
    assert.equal(await upsertRecord(openTable(), recordItem(record)), "unchanged");
    await remove(key, "content_hash");
    assert.equal(await upsertRecord(openTable(), recordItem(record)), "changed");
    assert.deepEqual(await listEvents(), [3, 2, 1]);
    assert.equal((await listChanges()).at(-1), "event 2");
  });
});

test("texts that only an earlier version accepted are served as they are", async () => {
  const old = { currency: "ved.", date_created: "5 o'clock", name: "\u0000" };
  await set(itemKeys.event(1, 2), old);
  const served = await repositoryOf(events)(1, openTable()).get(2);
  assert.deepEqual({ ...served, ...old }, served);
  assert.deepEqual(await listEvents(), [3, 2, 1]);
  assert.equal((await listChanges()).length, records.length);
  assert.equal(errors.mock.calls.length, 0);
});
