import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { marshall } from "@aws-sdk/util-dynamodb";
import { beforeEach, describe, test } from "@jest/globals";
import { auditStart } from "../../../cli/organisation/organisation.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { handler as outgoingEvents } from "../../../functions/stream/outgoingEvents.ts";
import { itemKeys, itemTypeOf } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem, updateItem, updateOf } from "../../../functions/table/writes.ts";
import { refusals } from "../../support/data/faultyProxy.ts";
import { orderRecord, someone } from "../../support/data/records.ts";
import { dumpItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { fill, isAccepted } from "../support/organisationContents.ts";
import { atTable, runProgram, runWithFaults } from "../support/runProgram.ts";

type Item = Record<string, unknown>;

const directory = temporaryDirectory();

/** The name of the table that organisations are restored from, or into. */
let first = "";
/** The secret of organisation 1's active key. */
let secret = "";
beforeEach(async () => {
  first = (await useTestTable()).tableName;
  secret = await fill(1);
  await fill(10);
});

const as = ["--organisation", "1", "--actor", "Grace"];
const restore = (...commandLine: string[]) =>
  runProgram("organisation restore", [...as, ...commandLine, ...atTable()], { cwd: directory });
const exportAll = () =>
  runProgram("organisation export", [...as, "--output", "one.ndjson", ...atTable()], { cwd: directory });
const erase = () => runProgram("organisation erase", [...as, "--confirm", "1", "--settle", "0", ...atTable()]);

/** Makes this process use another table, from which organisation 1 was erased. */
async function useAnotherTable(): Promise<void> {
  await useTestTable();
  await auditStart(openTable(), { organisation_id: 1, action: "erasure", actor: "Grace" }, async () => undefined);
}

const isOf = (organisationId: number) => (item: Item) =>
  String(item.PK).startsWith(`ORG#${organisationId}#`) ||
  (/^KEY(HASH|TAG)#/.test(String(item.PK)) && item.organisation_id === organisationId);
const typeOf = ({ PK, SK }: Item) => itemTypeOf({ PK: String(PK), SK: String(SK) });

/** The attributes of a webhook that a restore changes. */
const ofWebhook = ["status", "secret_version", "next_poll", "GSI4PK", "GSI4SK"];

/** The items, except those of the summaries' consumer, without the attributes that a restore changes. */
function lasting(items: Item[], organisationId: number, leftOut: string[] = []) {
  const others = ["EVENTSUMMARY", "DATESUMMARY", "LASTCOUNTED", "WEBHOOKCOUNT", ...leftOut];
  return items
    .filter(isOf(organisationId))
    .filter((item) => !others.includes(typeOf(item)))
    .map(({ GSI3SK: _stamp, restored: _mark, revision, ...item }) => ({
      ...item,
      ...(typeOf(item) === "BALANCE" && { revision }),
      ...(item.deleted === true && { expires_at: "set anew" }),
      ...(typeOf(item) === "WEBHOOKS" && Object.fromEntries(ofWebhook.map((name) => [name, "set anew"]))),
    }));
}

test("refuses an organisation that the source does not have, also in a dry run", async () => {
  await useAnotherTable();
  const source = String(process.env.TABLE_NAME);
  process.env.TABLE_NAME = first;
  const before = await dumpItems();
  for (const more of [["--dry-run"], []]) {
    const { code, stderr } = await restore("--from-table", source, ...more);
    assert.deepEqual([code, stderr], [2, "The source has nothing of organisation 1. Nothing was changed.\n"]);
  }
  const isAudit = ({ PK }: Item) => String(PK).startsWith("AUDIT#");
  assert.deepEqual(
    (await dumpItems()).filter((item) => !isAudit(item)),
    before.filter((item) => !isAudit(item)),
  );
});

describe("from another table", () => {
  test("restores every item of the organisation that is not derived, and no other organisation's", async () => {
    const before = await dumpItems();
    await useAnotherTable();
    const options = [...as, "--from-table", first, ...atTable()];
    const { code, stdout, stderr } = await runProgram("organisation restore", options, { asProcess: true });
    assert.deepEqual([code, stderr], [0, ""]);
    const after = await dumpItems();
    assert.deepEqual(lasting(after, 1), lasting(before, 1));
    assert.deepEqual(after.filter(isOf(10)), []);
    assert.match(stdout, /^Restored to organisation 1: 2\d items\.\n/);
    assert.match(stdout, new RegExp(`API keys that work:\\n {2}${secret.slice(0, 12)} {2}Nightly sync\\n`));
    assert.ok(await isAccepted(secret));
  });

  test("refuses the same table, one of another stage and a missing one, and changes nothing", async () => {
    const before = await dumpItems();
    for (const [name, problem] of [
      [first, /^Table \S+ is the one to write to\./],
      ["ticketing-staging-data-Table", /belongs to another stage than \S+\. Nothing was changed\./],
      ["missing", /^Cannot use table missing at /],
    ] as const) {
      const { code, stdout, stderr } = await restore("--from-table", name);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, problem);
    }
    assert.deepEqual(await dumpItems(), before);
  });
});

describe("from an export", () => {
  test("restores everything but usage, attempts and answers to repeated requests, and the key works again", async () => {
    const before = await dumpItems();
    await exportAll();
    await erase();
    const { code, stderr } = await restore("--from-export", "one.ndjson");
    assert.deepEqual([code, stderr], [0, ""]);
    const after = await dumpItems();
    const leftOut = ["KEYUSAGE", "IDEMPOTENCY", "WEBHOOKDELIVERIES"];
    assert.deepEqual(lasting(after, 1), lasting(before, 1, leftOut));
    assert.deepEqual(after.filter(isOf(10)), before.filter(isOf(10)));
    assert.ok(await isAccepted(secret));
  });
});

test("an export restores what an earlier version stored and no record may have now, as it was", async () => {
  const old = { currency: "ved.", date_created: "5 o'clock", name: "a\u0000", description: "\ud800" };
  await updateItem(openTable(), itemKeys.event(1, 1), updateOf({ set: old }));
  const before = (await dumpItems()).find(({ PK }) => PK === itemKeys.event(1, 1).PK) ?? assert.fail();
  const exported = await exportAll();
  assert.deepEqual([exported.code, exported.stderr], [0, ""]);
  await erase();
  const { code, stderr } = await restore("--from-export", "one.ndjson");
  assert.deepEqual([code, stderr], [0, ""]);
  const after = (await dumpItems()).find(({ PK }) => PK === itemKeys.event(1, 1).PK);
  assert.deepEqual({ ...after, ...old }, after);
  assert.equal(after?.GSI1SK, "#0000000000000001", String(before.PK));
});

test("an export restores a balance from its payments and refunds, so that the next one continues it", async () => {
  const balances = () => balanceRepository(1, openTable());
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  await balances().record(1, { type: "payment", amount: 40 }, recorder);
  await balances().record(1, { type: "refund", amount: 15 }, recorder);
  await exportAll();
  await erase();
  await restore("--from-export", "one.ndjson");
  const balance = (await dumpItems()).find((item) => typeOf(item) === "BALANCE" && isOf(1)(item));
  assert.deepEqual([balance?.balance, balance?.revision], [30, 3]);
  const { outcome } = await balances().record(1, { type: "refund", amount: 31 }, recorder);
  assert.deepEqual(outcome, { refused: "The refund exceeds the recorded balance of 30." });
});

test("items that arrived since stay, and only an order's missing note is added", async () => {
  await exportAll();
  await erase();
  const order = orderRecord(1, 1, { reference: "NEWER1" });
  const changeTimeOf = async () => (await dumpItems()).find(({ PK }) => PK === itemKeys.order(1, 1).PK)?.GSI3SK;
  await putRecords([order]);
  const sent = await changeTimeOf();
  await apiKeyRepository(1, openTable()).create("Since", [], someone);
  const { code, stdout, stderr } = await restore("--from-export", "one.ndjson");
  assert.deepEqual([code, stderr], [0, ""]);
  // The new key's tag stays.
  assert.match(stdout, /\n1 items already existed and stay\.\n/);
  const stored = (await dumpItems()).find(({ PK }) => PK === itemKeys.order(1, 1).PK) ?? assert.fail();
  assert.equal(stored.reference, "NEWER1");
  assert.deepEqual(Object(stored.api_note).admin_note, "Wheelchair place");
  // Readers of changes get the order with its note.
  assert.ok(String(await changeTimeOf()) > String(sent));
});

test("restored balance payments are not sent again as events", async () => {
  await exportAll();
  await erase();
  await restore("--from-export", "one.ndjson");
  const images = (await dumpItems()).filter(({ PK }) => /^ORG#1#(BALANCEPAYMENT|ORDER)#/.test(String(PK)));
  const inserted = images.map((item) => ({
    eventID: "1",
    eventName: "INSERT",
    dynamodb: {
      SequenceNumber: "1",
      Keys: marshall({ PK: item.PK, SK: item.SK }),
      NewImage: marshall(item, { removeUndefinedValues: true }),
    },
  }));
  assert.equal(inserted.length, 2);
  assert.deepEqual(await outgoingEvents(inserted), []);
  await orderNoteRepository(1, openTable()).set(1, "Another place");
});

test("a run that is interrupted is completed by the next, which writes nothing twice", async () => {
  const before = await dumpItems();
  await useAnotherTable();
  let writes = 0;
  const failed = await runWithFaults("organisation restore", [...as, "--from-table", first], ({ action }) =>
    action === "PutItem" && ++writes > 8 ? refusals.denied : undefined,
  );
  assert.equal(failed.code, 2);
  assert.match(failed.stderr, /^AWS rejected the request: AccessDeniedException/);
  assert.equal(await isAccepted(secret), false);
  const second = await restore("--from-table", first);
  assert.equal(second.code, 0);
  assert.doesNotMatch(second.stdout, /\n0 items already existed/);
  assert.deepEqual(lasting(await dumpItems(), 1), lasting(before, 1));
  const third = await restore("--from-table", first);
  assert.match(third.stdout, /^Restored to organisation 1: 0 items\./);
});

test("the authorizer's item for a key is written last", async () => {
  await useAnotherTable();
  // A set, because the SDK repeats a call whose response it lost.
  const written = new Set<string>();
  const { code } = await runWithFaults("organisation restore", [...as, "--from-table", first], ({ action, input }) => {
    const { PK, SK } = action === "PutItem" ? JSON.parse(input).Item : {};
    if (PK) written.add([PK.S, SK.S].join(" "));
    return undefined;
  });
  assert.equal(code, 0);
  const prefixes = [...written].map((key) => key.split("#")[0]);
  const ofOrganisation = prefixes.filter((prefix) => prefix !== "AUDIT");
  assert.deepEqual(ofOrganisation.slice(-2), ["KEYHASH", "KEYHASH"]);
  assert.deepEqual(new Set(ofOrganisation.slice(0, -2)), new Set(["ORG"]));
});

const webhooksOf = (items: Item[]) => items.filter(isOf(1)).filter((item) => typeOf(item) === "WEBHOOKS");
const onlyWebhook = async () => webhooksOf(await dumpItems())[0] ?? assert.fail();

/** Restores the erased organisation from an export with this change of its webhook. */
async function restoreWith(change: Item) {
  await exportAll();
  await erase();
  const file = join(directory, "one.additions.ndjson");
  const lines = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  for (const { kind, data } of lines) if (kind === "webhook") Object.assign(data, change);
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return restore("--from-export", "one.ndjson");
}

const fromTable = async () => {
  await useAnotherTable();
  return restore("--from-table", first);
};

test.each([
  ["another table", fromTable],
  ["an export", () => restoreWith({})],
])("a webhook is restored from %s paused, with a secret of no earlier version, where it was", async (_, run) => {
  const earlier = { status: "active", secret_version: 7, failures: 3, position: "there", description: "CRM" };
  const until = { earlier_secret_until: "2030-01-01T00:00:00.000Z", claimed_until: "2030-01-01T00:00:00.000Z" };
  const failing = { failing_since: "2026-01-01T00:00:00.000Z", next_poll: "2026-01-01T00:00:00.000Z" };
  const url = "https://crm.example.org/hook?token=secret";
  const before: Item = { ...(await onlyWebhook()), ...earlier, ...until, ...failing, url };
  await putItem(openTable(), before);
  const startMs = Date.now();
  const { code, stdout } = await run();
  assert.equal(code, 0);
  const { secret_version, ...restored }: Item = await onlyWebhook();
  const { GSI4PK: _partition, GSI4SK: _due, secret_version: _version, ...lasting } = before;
  assert.deepEqual(restored, {
    ...lasting,
    ...{ status: "paused", failures: 0, failing_since: null, next_poll: null },
    ...{ earlier_secret_until: null, claimed_until: null, revision: Number(before.revision) + 1, restored: true },
  });
  // Table and process differ by seconds at most.
  assert.ok(Number(secret_version) > startMs - 10_000, String(secret_version));
  assert.match(
    stdout,
    new RegExp(`paused and have new secrets\\.[^]*:\\n {2}1 {2}${before.id} {2}\\S+/hook {2}CRM\\n`),
  );
});

test("a webhook gets a later secret version than in the source, even if that is ahead of the clock", async () => {
  const ahead = 2 * Date.now();
  await restoreWith({ secret_version: ahead });
  assert.equal((await onlyWebhook()).secret_version, ahead + 1);
});

test("a webhook that the table has stays as it is, and one that an earlier run restored is listed again", async () => {
  const present = await onlyWebhook();
  await exportAll();
  const { stdout } = await restore("--from-export", "one.ndjson");
  assert.deepEqual(await onlyWebhook(), present);
  assert.doesNotMatch(stdout, /paused/);
  await erase();
  await restore("--from-export", "one.ndjson");
  const restored = await onlyWebhook();
  const again = await restore("--from-export", "one.ndjson");
  assert.deepEqual(await onlyWebhook(), restored);
  assert.ok(again.stdout.includes(`  1  ${restored.id}  `));
});

test("a webhook of another table that is damaged is reported, and the rest is restored", async () => {
  const webhook = await onlyWebhook();
  await putItem(openTable(), { ...webhook, status: "riddle" });
  const { code, stderr } = await fromTable();
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^Not restored: ORG#1#WEBHOOKS ${webhook.id}: ZodError`));
  assert.deepEqual(webhooksOf(await dumpItems()), []);
  assert.ok(await isAccepted(secret));
});

test("an organisation that was suspended before its first key is restored suspended, without a tag", async () => {
  await erase();
  await putItem(openTable(), { ...itemKeys.access(1), suspended: "2026-01-01T00:00:00.000Z" });
  await exportAll();
  await erase();
  await restore("--from-export", "one.ndjson");
  const after = (await dumpItems()).filter(isOf(1));
  assert.deepEqual(after, [{ ...itemKeys.access(1), suspended: "2026-01-01T00:00:00.000Z" }]);
});
