import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { parseRecord } from "../../../functions/feed/parseRecord.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import type { Order } from "../../../functions/resources/order.ts";
import { orders } from "../../../functions/resources/order.ts";
import { openTable } from "../../../functions/table/table.ts";
import { useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { dumpItems, putItems } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeEach(() => useTestTable());

const named = { first_name: "Ann", last_name: "Example", email: "ann@example.org", admin_note: "own" };
const anonymous = { first_name: null, last_name: null, email: null, admin_note: "own" };

function send(version: number | undefined, fields: Partial<Order>, ends_note?: true) {
  return upsertRecord(openTable(), recordItem({ ...orderRecord(1, 7, fields), version, ends_note } as never));
}
const note = (text: string | null) => orderNoteRepository(1, openTable()).set(7, text);
const shown = async () => (await repositoryOf(orders)(1, openTable()).get(7)).admin_note;

const empty = { first_name: "", last_name: "", email: "", admin_note: "own" };

test.each(Object.entries({ null: anonymous, empty }))(
  "a record that anonymises an order ends the API's note, and another record does not: %s",
  async (_name, erased) => {
    await send(1, named);
    await note("Ann has moved");
    await send(2, { ...named, first_name: null, last_name: null });
    assert.equal(await shown(), "Ann has moved");
    assert.equal(await send(3, erased), "changed");
    assert.equal(await shown(), "own");
    assert.ok(!JSON.stringify(await dumpItems()).includes("Ann has moved"));
  },
);

test.each(Object.entries({ null: anonymous, empty }))(
  "an order that is anonymous already keeps the API's note: %s",
  async (_name, erased) => {
    await send(1, erased);
    await note("Wheelchair place");
    await send(2, { ...anonymous, phone: "1" });
    assert.equal(await shown(), "Wheelchair place");
  },
);

test("a note that is set while a record anonymises the order ends, too", async () => {
  await send(1, named);
  proxy.faultOf = ({ action }) => {
    if (action !== "UpdateItem") return undefined;
    proxy.faultOf = () => undefined;
    return (_outgoing, forward) => void note("Ann has moved").then(forward);
  };
  await send(2, anonymous);
  assert.equal(await shown(), "own");
});

test("ends_note ends the note even if the record's content is stored, and leaves a newer one when redelivered", async () => {
  await send(1, named);
  await note("first");
  assert.equal(await send(2, named, true), "changed");
  assert.equal(await shown(), "own");
  assert.equal(await send(3, named, true), "unchanged");
  await note("second");
  assert.equal(await send(3, named, true), "unchanged");
  const item = recordItem({ ...orderRecord(1, 7, named), version: 3, ends_note: true } as never);
  await upsertRecord(openTable(), item, true);
  await putItems([item]);
  assert.equal(await shown(), "second");
  await putItems([{ ...item, record_version: 4 }]);
  assert.equal(await shown(), "own");
  assert.ok((await dumpItems()).every((stored) => !("ends_note" in stored)));
});

test("ends_note without a version always ends the note", async () => {
  await send(undefined, named, true);
  await note("first");
  await putItems([recordItem({ ...orderRecord(1, 7, named), ends_note: true } as never)]);
  assert.equal(await shown(), "own");
});

test("ends_note is a member of orders only, and true", () => {
  const problem = (record: object) => Object(parseRecord(record)).problem;
  assert.equal(problem({ ...orderRecord(1, 7), ends_note: true }), undefined);
  assert.match(problem({ ...orderRecord(1, 7), ends_note: false }), /^ends_note: /);
  assert.equal(problem({ ...eventRecord(1, 7), ends_note: true }), "Unknown field ends_note");
});
