import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { readAudit } from "../../../cli/organisation/organisation.ts";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { changeTimeAttribute } from "../../../functions/records/changeTime.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { orders } from "../../../functions/resources/order.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { dumpTable, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { atTable, runProgram } from "../support/runProgram.ts";

const secret = "Cash from Ann";
let ids: number[] = [];
beforeEach(async () => {
  await useTestTable();
  await putRecords([eventRecord(1, 7), orderRecord(1, 5, { admin_note: "own" }), orderRecord(1, 6)]);
  ids = [await record(), await record(), await record()];
  await orderNoteRepository(1, openTable()).set(5, secret);
});

async function record() {
  const body = { type: "payment" as const, amount: 100, note: secret, external_reference: "ANN" };
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  const { outcome } = await balanceRepository(1, openTable()).record(7, body, recorder);
  assert.ok("recorded" in outcome);
  return outcome.recorded.id;
}

const paymentOf = async (id = 0) => (await getItem(openTable(), itemKeys.balance_payment(1, id))) ?? {};
const blank = (...options: string[]) => runProgram("person blank", ["--organisation", "1", ...options, ...atTable()]);
const named = () => ["--payments", `${ids[0]},${ids[1]}`, "--orders", "5,6", "--actor", "Grace"];

test("texts of the named payments and orders are removed as changes, and amounts stay", async () => {
  const [first, , third] = await Promise.all(ids.map(paymentOf));
  const { code, stdout, stderr } = await blank(...named());
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(stdout, "Removed the texts of 2 balance payments and 1 orders. The others have none.\n");
  const now = await paymentOf(ids[0]);
  assert.ok(String(now[changeTimeAttribute]) > String(first?.[changeTimeAttribute]));
  const blanked = { ...first, note: null, external_reference: null, [changeTimeAttribute]: now[changeTimeAttribute] };
  assert.deepEqual(now, blanked);
  assert.deepEqual(await paymentOf(ids[2]), third);
  assert.equal((await repositoryOf(orders)(1, openTable()).get(5)).admin_note, null);
});

test("the audit names who removed texts by which ids, and no text", async () => {
  await blank(...named());
  const entries = await readAudit(openTable(), async () => undefined);
  assert.deepEqual(
    entries.map(({ action, actor, state, orders, balance_payments, counts }) => [
      ...[action, actor, state, orders, balance_payments, counts],
    ]),
    [
      ["blanking", "Grace", "started", [5, 6], ids.slice(0, 2), null],
      ["blanking", "Grace", "completed", [5, 6], ids.slice(0, 2), { BALANCEPAYMENT: 2, ORDER: 1 }],
    ],
  );
  assert.ok(!JSON.stringify(entries).includes("Ann"));
});

const data = async () => (await dumpTable()).filter(({ PK }) => PK !== "AUDIT#organisations");

test("a second run changes nothing, and neither does --dry-run", async () => {
  const before = await dumpTable();
  const tried = await blank("--payments", String(ids[0]), "--orders", "5", "--dry-run");
  assert.match(tried.stdout, /^1 balance payments and 1 orders have texts to remove\. Nothing was changed\.$/m);
  assert.deepEqual(await dumpTable(), before);
  await blank(...named());
  const blanked = await data();
  const again = await blank(...named());
  assert.match(again.stdout, /^Removed the texts of 0 balance payments and 0 orders\./);
  assert.deepEqual(await data(), blanked);
});

test("two runs at the same time both succeed, and leave no text", async () => {
  const runs = await Promise.all([blank(...named()), blank(...named())]);
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0],
  );
  await blank("--payments", String(ids[2]), "--actor", "Grace");
  assert.ok(!JSON.stringify(await dumpTable()).includes(secret));
});

test("an id that is unknown, malformed or missing changes nothing", async () => {
  const before = await dumpTable();
  for (const [options, problem] of [
    [["--payments", `${ids[0]},9`], "The organisation has no balance payment 9. Nothing was changed."],
    [["--orders", "5,9"], "The organisation has no order 9. Nothing was changed."],
    [["--orders", "5,,6"], "--orders must be an id."],
    [[], "Name --payments ID,... or --orders ID,...."],
  ] as const) {
    const { code, stderr } = await blank(...options, "--actor", "Grace");
    assert.equal(code, 2);
    assert.ok(stderr.startsWith(problem), stderr);
  }
  assert.deepEqual(await dumpTable(), before);
});
