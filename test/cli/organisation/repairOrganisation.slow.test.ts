import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { afterEach, beforeEach, describe, test } from "@jest/globals";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { dumpItems } from "../../support/data/table.ts";
import { cases } from "../../support/jest/cases.ts";
import { type Accident, accident, damagedIds, deleteNew, send, windowOf } from "../support/accident.ts";
import { isAccepted } from "../support/organisationContents.ts";
import { atTable, type ProgramOptions, runProgram } from "../support/runProgram.ts";
import { startInterruptedWrites } from "../support/writeFaults.ts";

let one: Accident;
beforeEach(async () => {
  one = await accident(1);
});
afterEach(() => one.stop());

const options = () => ["--organisation", "1", "--actor", "Grace", "--from-table", one.source, ...windowOf(one)];
const repair = (more: string[] = [], settings: ProgramOptions = {}, at = atTable()) =>
  runProgram("organisation restore", [...options(), ...more, ...at], settings);

/** Every record, tombstone and balance payment. The summaries' consumer writes other items meanwhile. */
const changesIn = async () => (await dumpItems()).filter(({ GSI3PK }) => GSI3PK !== undefined);

describe("after a repair, GET, the changes, a mirror, a webhook's receiver and the summaries agree", () => {
  test("and keys, secrets, payments, notes and later changes stay", async () => {
    await one.follow();
    const { code, stderr } = await repair([deleteNew], { asProcess: true });
    assert.deepEqual([code, stderr], [0, ""]);
    await one.assertRepaired();
    assert.equal(await isAccepted(one.revokedKey), false);
    const { secret_version, status } = (await getItem(openTable(), one.webhookKey)) ?? assert.fail();
    assert.deepEqual([secret_version, status], [2, "active"]);
  });

  test("if the command is killed at several random places and run again", async () => {
    await one.follow();
    for (let run = 0; run < cases(4, 10); run++) {
      const killing = new AbortController();
      const write = randomInt(1, 5);
      const { url, end } = await startInterruptedWrites(one.endpoint, write, () => killing.abort("SIGKILL"));
      const { signal } = await repair([deleteNew], { killedBy: killing.signal }, atTable(url));
      await end();
      assert.equal(signal, "SIGKILL");
    }
    assert.equal((await repair([deleteNew])).code, 0);
    await one.assertRepaired();
  });

  test("if it runs twice at once, while the core system sends newer records", async () => {
    await one.follow();
    const newer = damagedIds.map((id) => ({ id, version: 20, text: "newer" }));
    const [first, second] = await Promise.all([
      repair([deleteNew], { asProcess: true }),
      repair([deleteNew], { asProcess: true }),
      ...newer.map((record) => send(record)),
    ]);
    assert.deepEqual([first.code, second.code], [0, 0]);
    await one.assertRepaired(newer);
  });
});

test("after a repair, the core system's next record wins, and one that is older than the restored does not", async () => {
  await repair([deleteNew]);
  assert.equal(await send({ id: 1, version: 0, text: "older" }), "older");
  // The damage had higher versions.
  assert.equal(await send({ id: 4, version: 2, text: "next" }), "changed");
  assert.equal(await send({ id: 90, version: 0, text: "created later" }), "changed");
});

test("a dry run names by type what would change, and notes and payments that the damage hit", async () => {
  const damaged = (await dumpItems()).find(({ SK }) => SK === "BALANCEPAYMENT") ?? assert.fail();
  await putItem(openTable(), { ...damaged, amount: 1 });
  const before = await changesIn();
  const { code, stdout } = await repair(["--dry-run"]);
  assert.equal(code, 0);
  assert.match(stdout, /^Organisation 1, \d+ records compared in \S+ s:\n/);
  for (const line of [
    "           1 EVENT missing, written: 7",
    "           5 EVENT replaced: 1, 2, 3, 4, 6",
    "           1 EVENT not in the source, kept without --delete-new: 90",
    "           3 EVENT differ, but changed outside the window, kept: 5, 8, 9",
    "           1 ORDER lost a note, or a record ended it; not restored; set a lost one again through the API: 2",
    `           1 BALANCEPAYMENT damaged, not restored: ${damaged.id}`,
  ])
    assert.ok(stdout.includes(`${line}\n`), `${line}\n${stdout}`);
  assert.match(stdout, /\nNothing was changed\.\n$/);
  assert.deepEqual(await changesIn(), before);
});

test("an order whose note is later than its damage is named, because nothing shows when its record changed", async () => {
  await one.note(4);
  const { stdout } = await repair();
  assert.match(stdout, / 1 ORDER differ, but a later note hides when they changed, .* send them again: 4\n/);
  await send({ id: 4, version: 20, text: "sent again" });
  assert.equal((await getItem(openTable(), itemKeys.order(1, 4)))?.record_version, 20);
});

test("a second run repairs nothing more", async () => {
  await repair([deleteNew]);
  const before = await changesIn();
  const { code, stdout } = await repair([deleteNew]);
  assert.equal(code, 0);
  assert.doesNotMatch(stdout, /written|replaced|deleted/);
  assert.deepEqual(await changesIn(), before);
});
