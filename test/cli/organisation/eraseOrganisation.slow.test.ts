import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import fc from "fast-check";
import { type Erased, eraseOrganisation, maximumPasses } from "../../../cli/organisation/eraseOrganisation.ts";
import { total } from "../../../cli/organisation/organisation.ts";
import { findApiKeyHash } from "../../../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { hashApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import { countItems } from "../../../functions/summaries/countRecords.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { type FaultyProxy, faults } from "../../support/data/faultyProxy.ts";
import { eventRecord, orderRecord, someone } from "../../support/data/records.ts";
import { dumpTable, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";
import { changes, fill, isAccepted, isRevokedHash, store } from "../support/organisationContents.ts";
import { atTable, runProgram, runWithFaults } from "../support/runProgram.ts";
import { startFaultyWrites, writeFaultNames } from "../support/writeFaults.ts";

/** One item of each type of record, and those that follow from them or are not records. */
const items = recordTypes.length + 24;

beforeEach(() => useTestTable());

const runWith = (faultOf: FaultyProxy["faultOf"]) => runWithFaults("organisation erase", sure, faultOf);
const sure = ["--organisation", "1", "--confirm", "1", "--actor", "Grace", "--settle", "0"];

/** All items except the audit and the hashes of revoked API keys without an organisation. */
const dump = async () =>
  (await dumpTable()).filter((item) => item.PK !== "AUDIT#organisations" && !isRevokedHash(item));
/** The items of organisations other than 1. */
const ofOthers = async () =>
  (await dump()).filter(({ PK, organisation_id }) => !(String(PK).startsWith("ORG#1#") || organisation_id === 1));

async function erase(settle: () => Promise<unknown> = async () => undefined) {
  const erased: Erased = { counts: {}, passes: 0 };
  const waiting = { pause: async () => undefined, settle, signal: new AbortController().signal };
  return { isDone: await eraseOrganisation(openTable(), 1, erased, waiting), ...erased };
}

test("an erasure leaves nothing of the organisation, and all items of others unchanged, also of 10 and 100", async () => {
  for (const organisationId of [10, 100, 2]) await fill(organisationId);
  await fc.assert(
    fc.asyncProperty(changes, changes, async (own, others) => {
      await fill(1);
      await store(1, own);
      await store(10, others);
      const others1 = await ofOthers();
      const count = (await dump()).length - others1.length;
      const { isDone, counts } = await erase();
      assert.equal(isDone, true);
      assert.deepEqual(await dump(), others1);
      assert.equal(total(counts), count);
    }),
    { numRuns: cases(1, 6) },
  );
});

test("the API keys stop working before anything else is erased", async () => {
  const key = await fill(1);
  let writes: string[] = [];
  const { code } = await runWith(({ action, input }) => {
    if (/Put|Write/.test(action) && !input.includes("AUDIT#")) writes.push(/KEYHASH|ORG/.exec(input)?.[0] ?? "");
    return undefined;
  });
  assert.equal(code, 0);
  writes = writes.slice(0, writes.indexOf("ORG"));
  assert.deepEqual(new Set(writes), new Set(["KEYHASH"]));
  assert.ok(writes.length >= 2);
  assert.equal(await findApiKeyHash(openTable(), hashApiKey(key)), undefined);
});

test("an erasure leaves only the hash of each revoked key, also if it is revoked meanwhile", async () => {
  const key = await fill(1);
  const apiKeys = apiKeyRepository(1, openTable());
  const keys = (await apiKeys.list({ per_page: 5, cursor: undefined })).data;
  const old = (await dumpTable()).find(({ PK, status }) => /^KEYHASH/.test(String(PK)) && status === "revoked");
  const revoke = async () => void (await apiKeys.revoke(keys[0]?.id ?? "", someone));
  // The revocation comes between the write that finds the key active and the key's deletion.
  const { code } = await runWith(({ action, input }) =>
    action === "TransactWriteItems" && input.includes(hashApiKey(key)) && !input.includes('"Update"')
      ? (_outgoing, forward) => void revoke().then(forward)
      : undefined,
  );
  assert.equal(code, 0);
  const left = (await dumpTable()).filter(({ PK }) => PK !== "AUDIT#organisations");
  const expected = [old?.PK, itemKeys.apiKeyHash(hashApiKey(key)).PK].sort();
  assert.deepEqual(
    left,
    expected.map((PK) => ({ PK, SK: "KEYHASH", status: "revoked" })),
  );
  assert.equal(await isAccepted(key), false);
});

test("an API key missing from the list is found and erased", async () => {
  await fill(1);
  const hidden = { ...itemKeys.apiKeyHash("f".repeat(64)), organisation_id: 1, hash: "f".repeat(64), status: "active" };
  await putItem(openTable(), hidden);
  await erase();
  assert.deepEqual(await dump(), []);
});

test("items that the stream's consumer writes after a pass are erased by the next", async () => {
  await fill(1);
  const { PK, SK } = recordItem(orderRecord(1, 1));
  // Like the consumer, which records that a deleted item no longer counts.
  let late = 2;
  const settle = async () => {
    if (late-- > 0) await countItems(openTable(), [{ key: { PK, SK }, owners: [PK] }], async () => undefined);
  };
  assert.equal((await erase(settle)).passes, 4);
  assert.deepEqual(await dump(), []);
  // As after an interrupted run that had erased everything else.
  late = 1;
  assert.equal((await erase(settle)).passes, 3);
  assert.deepEqual(await dump(), []);
});

test("an erasure gives up while new items keep arriving, and the audit has no completion", async () => {
  await fill(1);
  const event = recordItem(eventRecord(1, 5));
  const settle = () => upsertRecord(openTable(), event);
  assert.deepEqual(await erase(settle).then(({ isDone, passes }) => [isDone, passes]), [false, maximumPasses]);
  const { code, stdout } = await runWith(({ action }) =>
    action === "Scan" ? (_outgoing, forward) => void upsertRecord(openTable(), event).then(forward) : undefined,
  );
  assert.equal(code, 1);
  assert.match(stdout, /New items still appeared after 10 passes/);
  const audit = (await dumpTable()).filter(({ PK }) => PK === "AUDIT#organisations");
  assert.deepEqual(
    audit.map(({ state }) => state),
    ["started"],
  );
});

test("despite failing writes and throttled scans, it erases everything and counts each item once", async () => {
  const { endpoint } = await useTestTable();
  await fill(1);
  await putRecords(Array.from({ length: 80 }, (_, index) => eventRecord(1, 10 + index)));
  const proxy = await startFaultyWrites(endpoint, (write) => writeFaultNames[write % 9]);
  const { faultOf } = proxy;
  let scans = 0;
  proxy.faultOf = (call) => {
    if (call.action !== "Scan") return faultOf(call);
    return scans++ < 14 ? faults.throttling : undefined;
  };
  const { code, stdout, stderr } = await runProgram("organisation erase", [...sure, ...atTable(proxy.url)]);
  await proxy.close();
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^ +81 EVENT$/m);
  assert.deepEqual(await dump(), []);
});

test("an erasure prints what it erased and what it cannot reach", async () => {
  await fill(1);
  const commandLine = [...sure, ...atTable()];
  const { code, stdout } = await runProgram("organisation erase", commandLine, { asProcess: true });
  assert.equal(code, 0);
  assert.ok(stdout.startsWith(`Erased from organisation 1 in 2 passes: ${items} items.\n`), stdout);
  for (const counted of [/\n +1 TOMBSTONE\n/, /\n +2 KEYHASH\n/]) assert.match(stdout, counted);
  assert.match(
    stdout,
    /The table contains no more of the organisation's data\.\nOnly the hash of each revoked API key stays.+\nThis command cannot reach .+ backups \(35 days\)/s,
  );
  assert.deepEqual(await dump(), []);
});
