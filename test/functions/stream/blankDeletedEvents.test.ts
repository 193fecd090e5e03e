import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { changeTimeAttribute } from "../../../functions/records/changeTime.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { consumeRecords } from "../../../functions/stream/tableStream.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem, getStored } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { failing, refusals, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord } from "../../support/data/records.ts";
import { putRecords, streamRecord } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeEach(async () => {
  await useTestTable();
  await putRecords([eventRecord(1, 7), eventRecord(1, 8), eventRecord(2, 7)]);
});

async function record(eventId = 7, organisationId = 1) {
  const body = { type: "payment" as const, amount: 100, note: "Cash from Ann", external_reference: "ANN" };
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  const { outcome } = await balanceRepository(organisationId, openTable()).record(eventId, body, recorder);
  assert.ok("recorded" in outcome);
  return itemKeys.balance_payment(organisationId, outcome.recorded.id);
}

type Key = Awaited<ReturnType<typeof record>>;
const read = async (key: Key) => (await getItem(openTable(), key)) ?? {};
const textsOf = async (key: Key) => {
  const { note, external_reference, amount } = await read(key);
  return [note, external_reference, amount];
};
const blank = [null, null, 100];
const whole = ["Cash from Ann", "ANN", 100];

const remove = () =>
  upsertRecord(openTable(), tombstone({ type: "event", organisation_id: 1, id: 7, deleted: true, version: 1 }));
/** The stream record of an item as it is stored. */
async function streamed(key: Key) {
  const [item] = await getStored(openTable(), [key]);
  return streamRecord({ ...item, ...key });
}
const consume = async (...keys: Key[]) =>
  consumeRecords({ Records: await Promise.all(keys.map(streamed)) }, openTable(), async () => undefined);

test("an event's deletion blanks its balance payments' texts, as a change, and keeps amounts", async () => {
  const [own, second, ofOther, ofOtherOrganisation] = [
    await record(),
    await record(),
    await record(8),
    await record(7, 2),
  ];
  const before = String((await read(own))[changeTimeAttribute]);
  await remove();
  assert.deepEqual(await consume(itemKeys.event(1, 7)), { batchItemFailures: [] });
  assert.deepEqual([await textsOf(own), await textsOf(second)], [blank, blank]);
  assert.deepEqual([await textsOf(ofOther), await textsOf(ofOtherOrganisation)], [whole, whole]);
  assert.ok(String((await read(own))[changeTimeAttribute]) > before);
  const changed = await read(own);
  await consume(itemKeys.event(1, 7));
  assert.deepEqual(await read(own), changed);
  await upsertRecord(openTable(), recordItem({ ...eventRecord(1, 7), version: 2 }));
  assert.deepEqual(await textsOf(own), blank);
});

test("a payment that is recorded while its event is deleted is blanked by its own record", async () => {
  const [own, ofOther] = [await record(), await record(8)];
  await remove();
  await consume(own, ofOther);
  assert.deepEqual([await textsOf(own), await textsOf(ofOther)], [blank, whole]);
});

test("an event's deletion is retried while its payments cannot be blanked", async () => {
  const own = await record();
  await remove();
  proxy.faultOf = failing("UpdateItem", 1, refusals.invalid);
  const Records = [await streamed(itemKeys.event(1, 7))];
  const noTimeLeft = () => Promise.reject(new Error("The time is up."));
  const { batchItemFailures } = await consumeRecords({ Records }, openTable(), noTimeLeft);
  assert.deepEqual(batchItemFailures, [{ itemIdentifier: Records[0]?.dynamodb?.SequenceNumber }]);
  proxy.faultOf = () => undefined;
  await consume(itemKeys.event(1, 7));
  assert.deepEqual(await textsOf(own), blank);
});
