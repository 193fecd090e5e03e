import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll } from "@jest/globals";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { demoRecords, demoRecordsFile } from "../../local/demo/demoRecords.ts";
import { clientOf } from "../support/http/client.ts";
import { type Front, startDistribution } from "./emulator/distribution.ts";
import { startEmulator } from "./emulator/emulator.ts";
import { makeKeys } from "./people.ts";
import { emulatedStage } from "./stage.ts";
import { run } from "./support/run.ts";
import { everybody, type Person, signIn } from "./support/signIn.ts";

/** The one stage of all tests. */
export const emulated = await startStage();

/** Deploys a stage to an emulator of its own, and prepares it by the platform team's commands. The emulator ends with the tests. */
async function startStage() {
  const emulator = await startEmulator();
  afterAll(() => emulator.stop());
  let front: Front = { stageUrl: "", functionCode: "" };
  const baseUrl = await startDistribution(() => front);
  const stage = emulatedStage(emulator, baseUrl);
  await stage.bootstrap();
  const outputs = await stage.deploy();
  front = await stage.front(outputs);

  const signInAll = () => signIn(everybody, outputs.UserPoolId, stage.environment);
  const people = await signInAll();
  /** Signs everybody in again, because an ID token is valid for 15 minutes. */
  const renewTokens = async () => void people.splice(0, people.length, ...(await signInAll()));
  const records = demoRecords();
  const command = (...words: string[]) =>
    run(process.execPath, ["cli/ops.ts", ...words, "--stage", "dev"], stage.environment);
  const imported = await command("import", demoRecordsFile);
  assert.match(imported, / 0 older than stored, 0 bad lines/);
  await command("summaries", "rebuild", "--all");
  const organisations = await makeKeys(baseUrl, people);
  const keysOf = (organisationId: number) =>
    organisations.find(({ organisation_id }) => organisation_id === organisationId)?.keys ?? [];

  /** A client with the organisation's read-only key. */
  const reader = (organisationId: number) => clientOf(baseUrl, keysOf(organisationId)[0]?.key ?? "");
  /** A client with the organisation's key that has every scope. */
  const writer = (organisationId: number) => clientOf(baseUrl, keysOf(organisationId).at(-1)?.key ?? "");
  /** A client of a person. */
  const personOf = (role: Person["role"], organisationId = 1) => {
    const person = people.find((one) => one.organisation_id === organisationId && one.role === role);
    return clientOf(baseUrl, person?.id_token ?? "");
  };

  // The list of changed orders shows changes a few seconds late on purpose.
  for (const organisationId of [1, 2]) {
    const isOwn = (record: InputRecord) => record.type === "order" && record.organisation_id === organisationId;
    const { length } = records.filter(isOwn);
    while ((await reader(organisationId).rows("/v1/orders")).length < length) await wait(500);
  }
  return {
    stage,
    recordedCalls: emulator.recordedCalls,
    outputs,
    functionCode: front.functionCode,
    baseUrl,
    records,
    people,
    organisations,
    reader,
    writer,
    personOf,
    renewTokens,
  };
}
