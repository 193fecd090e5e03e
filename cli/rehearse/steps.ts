import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod";
import { importPrefix, reportKeyOf } from "../../functions/feed/importLimits.ts";
import { Scope } from "../../functions/keys/apiKeyPrincipal.ts";
import { callAws } from "../shared/callAws.ts";
import { stageOutput } from "../shared/target.ts";
import { checkOutBadRelease } from "./badRelease.ts";
import { resourcesOf } from "./leftovers.ts";
import { everybody, signIn } from "./people.ts";
import { run, temporaryDirectory } from "./run.ts";

/** Settings by name, as texts for the CDK. */
type Context = Readonly<Record<string, string>>;

/** A stage that is deployed for a rehearsal alone. */
export interface Rehearsed {
  name: "dev" | "staging";
  environment: NodeJS.ProcessEnv;
  baseUrl: () => Promise<string>;
  /** @param release another checkout than this one, and the CDK's arguments that choose stacks. */
  deploy: (settings: Context, release?: { checkout: string; stacks?: string[] }) => Promise<unknown>;
  destroy: () => Promise<unknown>;
  /** The public URL of a receiver of webhooks. */
  receiver?: string | undefined;
  /** Options of the erasure. */
  erasure?: string[];
  signal: AbortSignal;
}

/** Returns what it saw. */
export type Step = (stage: Rehearsed) => Promise<string>;

/** A step that cannot be taken here. */
export class Skipped extends Error {}

const demo = "local/demo/records.ndjson";
/** The journeys ran without the web ACL, which refuses some of their requests. */
const guarded: Context = { webAcl: "on" };

/** The steps of a rehearsal, in order. */
export const steps: Readonly<Record<string, Step>> = {
  quotas: (stage) => ops(stage, "stage check", "--new"),
  deploy: async (stage) => {
    await stage.deploy({});
    return `${await stage.baseUrl()}\n${await ops(stage, "reindex")}`;
  },
  smoke: (stage) => ops(stage, "smoke", "--new"),
  journeys,
  "feed-file": importFile,
  webhook: deliverWebhook,
  alarm: inventAlarm,
  "good-release": async (stage) => described(await whileRequesting(stage, () => stage.deploy(guarded))),
  "bad-release": replaceBadRelease,
  canary: rollBackCanary,
  organisation: eraseAndRestore,
  "origin-secret": async (stage) => {
    const statuses = await whileRequesting(stage, () => stage.deploy({ ...guarded, originSecretVersion: "2" }));
    assert.deepEqual(new Set(statuses), new Set([200]), described(statuses));
    return described(statuses);
  },
  destroy: async (stage) => {
    await stage.destroy();
    return "Both stacks are deleted.";
  },
  leftovers: async ({ name }) => {
    const left = Object.entries(await resourcesOf(`ticketing-${name}`)).filter(([, names]) => names.length > 0);
    const lines = left.map(([kind, names]) => `${kind}: ${names.join(", ")}`);
    return [...lines, "Keys and backups are not listed: docs/operators/stage.md#what-stays."].join("\n");
  },
};

/** A documented command at the stage. @returns what it printed, without progress. */
async function ops({ name, environment, signal }: Rehearsed, command: string, ...options: string[]): Promise<string> {
  const commandLine = ["run", "--silent", "ops", "--", ...command.split(" "), ...options, "--stage", name];
  return (await run("npm", commandLine, environment, { signal })).replaceAll(/^.* records, .* a second.*\n/gm, "");
}

/** @throws Error if nothing has come after ten minutes. */
async function until<Value>({ signal }: Rehearsed, look: () => Promise<Value | undefined>): Promise<Value> {
  for (let tries = 0; tries < 600; tries++) {
    const value = await look();
    if (value !== undefined) return value;
    await wait(1_000, undefined, { signal });
  }
  throw new Error("Nothing was seen within ten minutes.");
}

async function call(stage: Rehearsed, credential: string, path: string, body?: { method: string; json?: object }) {
  const response = await fetch((await stage.baseUrl()) + path, {
    method: body?.method ?? "GET",
    headers: { Authorization: `Bearer ${credential}`, ...(body?.json && { "Content-Type": "application/json" }) },
    ...(body?.json && { body: JSON.stringify(body.json) }),
    signal: AbortSignal.any([stage.signal, AbortSignal.timeout(30_000)]),
  });
  const text = await response.text();
  return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
}

async function people(stage: Rehearsed, whom = everybody) {
  return signIn(whom, await stageOutput(stage.name, "UserPoolId"), stage.environment);
}

/** The ID token of an organisation's super-admin, and a new key with every scope. */
async function credentials(stage: Rehearsed, organisation = 1) {
  const whom = everybody.filter(({ organisation_id, role }) => organisation_id === organisation && role !== "staff");
  const [{ id_token: token } = { id_token: "" }] = await people(stage, whom);
  const json = { name: "Rehearsal", scopes: Scope.options };
  const created = await call(stage, token, "/admin/api-keys", { method: "POST", json });
  assert.equal(created.status, 201, "No key was created.");
  return { token, key: z.object({ key: z.string() }).parse(created.json).key };
}

/** @returns the statuses of the requests that were made meanwhile; 0 without a response. */
async function whileRequesting(stage: Rehearsed, work: () => Promise<unknown>): Promise<number[]> {
  const { key } = await credentials(stage);
  const statuses: number[] = [];
  const over = new AbortController();
  const requesting = (async () => {
    while (!over.signal.aborted) {
      statuses.push((await call(stage, key, "/v1/key").catch(() => ({ status: 0 }))).status);
      await wait(50);
    }
  })();
  await work().finally(() => over.abort());
  await requesting;
  assert.equal((await call(stage, key, "/v1/key")).status, 200, `Afterwards, requests fail. ${described(statuses)}`);
  return statuses;
}

/** For example `413 requests meanwhile: 411 × 200, 2 × 503.` */
function described(statuses: readonly number[]): string {
  const groups = Object.entries(Object.groupBy(statuses, String));
  return `${statuses.length} requests meanwhile: ${groups.map(([status, all]) => `${all?.length} × ${status}`).join(", ")}.`;
}

async function journeys(stage: Rehearsed): Promise<string> {
  const imported = await ops(stage, "import", demo);
  await ops(stage, "summaries rebuild", "--all");
  const file = join(temporaryDirectory("rehearsal-"), "people.json");
  writeFileSync(file, JSON.stringify({ people: await people(stage) }), { mode: 0o600 });
  const environment = { ...stage.environment, BASE_URL: await stage.baseUrl(), SERVICE_DESCRIPTION: file };
  const printed = await run(".ci/run", ["deployed"], environment, { signal: stage.signal });
  return `${imported}\n${/\d+ journeys hold\./.exec(printed)?.[0]}`;
}

async function importFile(stage: Rehearsed): Promise<string> {
  const client = new S3Client({});
  const Bucket = await stageOutput(stage.name, "ImportBucketName");
  // A file that was imported is not imported again.
  const Key = `${importPrefix}rehearsal-${Date.now()}.ndjson`;
  await client.send(new PutObjectCommand({ Bucket, Key, Body: readFileSync(demo) }));
  const Report = z.object({ state: z.string(), accepted: z.int(), rejected: z.int() });
  const { state, accepted, rejected } = await until(stage, async () => {
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: reportKeyOf(Key) }));
      const report = Report.parse(JSON.parse(String(await Body?.transformToString())));
      return report.state === "running" ? undefined : report;
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw error;
    }
  });
  const seen = `${Key}: ${state}, ${accepted} accepted, ${rejected} rejected.`;
  assert.ok(state === "done" && accepted > 0 && rejected === 0, seen);
  return seen;
}

async function deliverWebhook(stage: Rehearsed): Promise<string> {
  if (stage.receiver === undefined) throw new Skipped("It needs a public receiver: --receiver URL.");
  const { token, key } = await credentials(stage);
  const webhook = { url: stage.receiver, types: ["order"] };
  const created = await call(stage, token, "/admin/webhooks", { method: "POST", json: webhook });
  assert.equal(created.status, 201, "No webhook was created.");
  const path = `/admin/webhooks/${created.json.id}`;
  const { json: orders } = await call(stage, key, "/v1/orders?per_page=1");
  const json = { admin_note: `Rehearsal ${Date.now()}` };
  const changed = await call(stage, key, `/v1/orders/${orders.data[0].id}`, { method: "PATCH", json });
  assert.equal(changed.status, 200, "No order was changed.");
  const { status } = await until(stage, async () => (await call(stage, token, `${path}/deliveries`)).json.data[0]);
  await call(stage, token, path, { method: "DELETE" });
  assert.ok(status >= 200 && status < 300, `The receiver answered ${status}.`);
  return `${stage.receiver} answered ${status}.`;
}

/** CloudWatch sets the alarm back when it evaluates it again. */
async function inventAlarm(stage: Rehearsed): Promise<string> {
  const AlarmName = `ticketing-${stage.name}-bulk-import-dead-letters`;
  const monitoring = (parameters: Context) => {
    const query = new URLSearchParams({ ...parameters, AlarmName, Version: "2010-08-01" });
    return callAws({ service: "monitoring", path: `/?${query}` });
  };
  await monitoring({ Action: "SetAlarmState", StateValue: "ALARM", StateReason: "Rehearsal" });
  const seen = await until(stage, async () => {
    const history = await monitoring({ Action: "DescribeAlarmHistory", HistoryItemType: "Action" });
    return /<HistorySummary>([^<]*)</.exec(history)?.[1];
  });
  assert.match(seen, /^Successfully executed action/);
  return `${AlarmName}: ${seen}`;
}

async function replaceBadRelease(stage: Rehearsed): Promise<string> {
  const { key } = await credentials(stage);
  const { checkout, goBack } = await checkOutBadRelease();
  await stage.deploy(guarded, { checkout });
  assert.equal((await call(stage, key, "/v1/key")).status, 500, "The bad release does not fail.");
  await goBack();
  const stacks = [`ticketing-${stage.name}`, "--exclusively"];
  const statuses = await whileRequesting(stage, () => stage.deploy(guarded, { checkout, stacks }));
  assert.ok(
    statuses.every((status) => status === 200 || status === 500),
    described(statuses),
  );
  return `GET /v1/key failed, and works again. ${described(statuses)}`;
}

/** The alarms need requests to see that a tenth of them fails. */
async function rollBackCanary(stage: Rehearsed): Promise<string> {
  const settings = { ...guarded, canary: "on" };
  await stage.deploy(settings);
  const { checkout } = await checkOutBadRelease();
  let problem = "";
  const statuses = await whileRequesting(stage, () =>
    stage.deploy(settings, { checkout }).catch(({ message }: Error) => {
      problem = message;
    }),
  );
  assert.match(problem, /UPDATE_ROLLBACK_COMPLETE/, `The bad release was not rolled back. ${problem.slice(-2_000)}`);
  return `CloudFormation rolled back. ${described(statuses)}`;
}

async function eraseAndRestore(stage: Rehearsed): Promise<string> {
  const { key } = await credentials(stage, 2);
  const events = async () => (await call(stage, key, "/v1/events?per_page=200")).json.data;
  const before = await events();
  assert.ok(before.length > 0, "The organisation has no events.");
  const options = ["--organisation", "2", "--actor", "Rehearsal"];
  const file = join(temporaryDirectory("rehearsal-"), "organisation.ndjson");
  const seen = [
    await ops(stage, "organisation export", ...options, "--output", file),
    await ops(stage, "organisation erase", ...options, "--confirm", "2", ...(stage.erasure ?? [])),
  ];
  assert.equal((await call(stage, key, "/v1/key")).status, 401, "A key of the erased organisation works.");
  seen.push(await ops(stage, "organisation restore", ...options, "--from-export", file));
  await until(stage, async () => isDeepStrictEqual(await events(), before) || undefined);
  return [...seen.map((printed) => printed.split("\n")[0]), `${before.length} events as before.`].join("\n");
}
