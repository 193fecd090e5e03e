import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { beforeEach, describe, test } from "@jest/globals";
import { main } from "../../../cli/keys/revokeKey.ts";
import { activityRepository } from "../../../functions/audit/activityRepository.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { PageQuery } from "../../../functions/resources/page.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { someone } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { isAccepted } from "../support/organisationContents.ts";
import { atTable, runProgram } from "../support/runProgram.ts";

let leaked = { key: "", id: "", prefix: "" };
let other = { key: "", id: "" };
beforeEach(async () => {
  await useTestTable();
  [leaked, other] = await Promise.all([1842, 7].map(create) as [ReturnType<typeof create>, ReturnType<typeof create>]);
});

async function create(organisationId: number) {
  const { key, stored } = await apiKeyRepository(organisationId, openTable()).create("Nightly sync", [], someone);
  return { key, id: stored.id, prefix: stored.prefix };
}

const revoke = (commandLine: string[], stdin = "", asProcess = false) =>
  runProgram("key revoke", [...commandLine, ...atTable()], { stdin, asProcess });
const as = ["--actor", "Grace"];

describe("a leaked key is revoked", () => {
  for (const [how, options] of Object.entries({
    "by its secret, from standard input": () => ["--secret"],
    "by its id": () => ["--key", leaked.id],
    "by its prefix": () => ["--prefix", leaked.prefix],
    "by its id and organisation": () => ["--key", leaked.id, "--organisation", "1842"],
    "by its prefix and organisation": () => ["--prefix", leaked.prefix, "--organisation", "1842"],
  })) {
    test(how, async () => {
      assert.ok(await isAccepted(leaked.key));
      const { code, stdout, stderr } = await revoke([...options(), ...as], `${leaked.key}\n`, how.includes("secret"));
      assert.deepEqual([code, stderr], [0, ""]);
      assert.match(
        stdout,
        new RegExp(`^Key ${leaked.id}, ${leaked.prefix}…, "Nightly sync" of organisation 1842, active\\.\\n`),
      );
      assert.match(stdout, /Revoked at \S+ by Grace \(platform team\)\.\n$/);
      assert.ok(!stdout.includes(leaked.key.slice(12)));
      assert.deepEqual([await isAccepted(leaked.key), await isAccepted(other.key)], [false, true]);
    });
  }
});

test("the organisation's activity shows once who revoked the key", async () => {
  await revoke(["--key", leaked.id, ...as]);
  await revoke(["--key", leaked.id, ...as]);
  const { data } = await activityRepository(1842, openTable()).list(PageQuery.parse({}));
  assert.deepEqual(
    data.map(({ action, actor }) => [action, actor]),
    [
      ["revoked", "Grace (platform team)"],
      ["created", someone.name],
    ],
  );
  assert.match(data[0]?.actor_id ?? "", /^platform team: ./);
});

test("Ctrl-C ends the command while it waits for a secret", async () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  const io = { stdin: new PassThrough(), stdout: output, stderr: output, signal: AbortSignal.abort() };
  assert.equal(await main(["--secret", ...as], io), 130);
  assert.deepEqual(written, ["Interrupted. Run it again to continue.\n"]);
});

test("two keys with one prefix are listed, and neither is revoked", async () => {
  const stored = (await dumpTable()).find(({ PK, id }) => String(PK).startsWith("KEYHASH#") && id === other.id);
  await putItem(openTable(), { ...stored, prefix: leaked.prefix });
  const { code, stdout, stderr } = await revoke(["--prefix", leaked.prefix, ...as]);
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^Several keys match\. Nothing was changed\. Name one with --key ID:\n/);
  for (const { id } of [leaked, other]) assert.ok(stderr.includes(`Key ${id}, `));
  assert.deepEqual([await isAccepted(leaked.key), await isAccepted(other.key)], [true, true]);
});

test("a key that does not exist, and one of another organisation, are reported", async () => {
  for (const [options, stdin] of [
    [["--secret"], mintApiKey().key],
    [["--key", "0mi7c1q2k5f0c2a9d1e4b"], ""],
    [["--prefix", "tsk_00000000", "--organisation", "1842"], ""],
    [["--key", leaked.id, "--organisation", "7"], ""],
    [["--secret", "--organisation", "7"], leaked.key],
  ] as const) {
    const { code, stdout, stderr } = await revoke([...options, ...as], stdin);
    assert.deepEqual([code, stdout, stderr], [2, "", "The table has no such key. Nothing was changed.\n"]);
  }
  assert.ok(await isAccepted(leaked.key));
});

test("a secret that is not whole is refused and not repeated", async () => {
  const { key } = leaked;
  for (const stdin of ["", `${key}${key}`]) {
    const { code, stdout, stderr } = await revoke(["--secret", ...as], stdin);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^Standard input does not contain a whole API key\. Nothing was changed\.[^\n]*\n$/);
    assert.ok(!stderr.includes(key.slice(4, 20)));
  }
  assert.ok(await isAccepted(key));
});
