import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { jest, test } from "@jest/globals";
import type { APIGatewayProxyEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { excerpt, redact } from "../../../functions/log/logger.ts";
import { maximumErrors, Problem } from "../../../functions/problem.ts";
import type { Table } from "../../../functions/table/table.ts";
import { embeddedMetricsOf } from "../../support/data/embeddedMetrics.ts";
import { eventRecord } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

// The modules read this when they are loaded, as in Lambda.
process.env.POWERTOOLS_METRICS_NAMESPACE = "ticketing-test";
const { apiKeyHolder, superAdmin } = await import("../../../functions/api/callers.ts");
const { endpoint } = await import("../../../functions/api/endpoint.ts");
const { invoke } = await import("../../support/http/invoke.ts");
const { logger } = await import("../../../functions/log/logger.ts");
const { mintApiKey } = await import("../../../functions/keys/apiKeySecret.ts");
const { handler: authorize } = await import("../../../functions/keys/apiKeyAuthorizer.ts");
const { handler: authorizePerson } = await import("../../../functions/people/superAdminAuthorizer.ts");
const { damagedItems, perhapsRecordedWrites } = await import("../../../functions/log/measurements.ts");
const { Unavailable } = await import("../../../functions/table/tableErrors.ts");
const { readable } = await import("../../../functions/table/rows.ts");
const { handler: feed } = await import("../../../functions/feed/feed.ts");
const { Reply } = await import("../../../functions/api/response.ts");

const declaration = {
  operationId: "listThings",
  method: "GET",
  path: "/v1/things",
  summary: "List things",
  tag: "Events",
  caller: apiKeyHolder("read"),
  tableAccess: "organisationData",
  repositories: { table: (_organisationId: number, table: Table) => table },
  response: z.unknown(),
} as const;

/** The lines that some work logs at a level, with their messages. */
async function logged(level: "info" | "error", work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const write = logger[level].bind(logger);
  logger[level] = (message, ...extra) => void lines.push({ message, ...Object(extra[0]) });
  try {
    await work();
  } finally {
    logger[level] = write;
  }
  // JSON leaves out undefined values, as in the written log.
  return JSON.parse(JSON.stringify(lines));
}

test("each damaged item logs one line with its key, its fields and a metric of its own, and no value", async () => {
  const schema = z.object({ name: z.string(), answers: z.array(z.object({ id: z.int() })) });
  const lines = await logged("error", async () => {
    readable(schema, { PK: "ORG#1#EVENT#2", SK: "EVENT", name: 7, answers: [{ id: "Jane" }] });
    readable(schema, { PK: "ORG#1#EVENT#3", SK: "EVENT", name: "x", answers: [] });
  });
  assert.equal(lines.length, 1);
  const [line = {}] = lines;
  assert.equal(line.message, "An item is damaged.");
  assert.deepEqual(line.item, { PK: "ORG#1#EVENT#2", SK: "EVENT" });
  assert.deepEqual(line.fields, ["name", "answers.0.id"]);
  assert.ok(!JSON.stringify(line).includes("Jane"));
  assert.deepEqual(embeddedMetricsOf(line).values, { damaged_items: 1 });
  assert.equal(line.operation_id, damagedItems);
});

test("a write that may have been recorded logs a metric of its own", async () => {
  const headers = z.object({ "idempotency-key": z.string().optional() });
  const write = endpoint({ ...declaration, method: "POST", headers }, (_, { table }) => {
    table.usage.calls.TransactWriteItems = 1;
    throw new Unavailable(new Error("Busy."));
  });
  const [line = {}] = await logged("error", () => invoke(write));
  const { dimensions, values } = embeddedMetricsOf(line);
  assert.deepEqual([dimensions.operation_id, values], [perhapsRecordedWrites, { perhaps_recorded: 1 }]);
});

const endings = {
  answer: () => ({}),
  problem: () => Promise.reject(new Problem("conflict", "Detail.")),
  error: () => Promise.reject(new Error("x")),
  "no error": () => Promise.reject({ name: "x" }),
  "time-out": () => new Promise(() => undefined),
} satisfies Record<string, () => unknown>;

test.each(Object.entries<() => unknown>(endings))(
  "every request logs one line with its metrics: %s",
  async (name, end) => {
    const read = endpoint(declaration, (_request, { table }) => {
      Object.assign(table.usage.calls, { Query: 2, GetItem: 3 });
      table.usage.capacityUnits = 1.5;
      return end();
    });
    const leftMs = name === "time-out" ? 501 : 5_000;
    let statusCode = 0;
    const lines = await logged("info", async () => {
      ({ statusCode } = await invoke(read, {}, leftMs));
    });
    const [line, ...others] = lines;
    assert.deepEqual(others, []);
    assert.equal(line?.status, statusCode);
    const { namespace, dimensions, values } = embeddedMetricsOf(line);
    assert.deepEqual([namespace, dimensions], ["ticketing-test", { operation_id: "listThings" }]);
    const { cold_start: _, ...rest } = values;
    const failed = statusCode >= 400 && { [`status_${statusCode}`]: 1 };
    assert.deepEqual(rest, { dynamodb_calls: 5, dynamodb_units: 1.5, ...failed });
  },
);

test("a failure names an undeclared parameter or member that looks like a name", async () => {
  const query = z.object({ per_page: z.string().optional() });
  const body = z.strictObject({ note: z.string().optional() });
  const write = endpoint({ ...declaration, method: "POST", query, body }, () => ({}));
  const parametersOf = async (sent: Partial<APIGatewayProxyEvent>) =>
    (await logged("info", () => invoke(write, sent)))[0]?.parameters;
  const [longest, longer] = ["a".repeat(30), "a".repeat(31)];
  const names = ["perpage", longest, longer, "tsk_4aZ", "Lovelace", "a@b"];
  const sent = Object.fromEntries(names.map((name) => [name, ["1"]]));
  const kept = ["perpage", longest, ...Array(4).fill("(unknown name)")];
  assert.deepEqual(await parametersOf({ multiValueQueryStringParameters: sent, body: "{}" }), kept);
  const ofJson = { headers: { "content-type": "application/json" }, body: JSON.stringify(sent) };
  assert.deepEqual(await parametersOf(ofJson), ["/perpage", `/${longest}`, ...kept.slice(2)]);
});

test("a failure keeps neither undeclared names with digits or capital letters nor a long number in the place of an id", async () => {
  const query = z.object({
    per_page: z
      .string()
      .regex(/^[0-9]+$/)
      .optional(),
  });
  const body = z.strictObject({ types: z.array(z.enum(["event"])), note: z.string() });
  const headers = z.object({ "if-match": z.string().startsWith('"').optional() });
  const write = endpoint({ ...declaration, method: "POST", query, headers, body }, () => ({}));
  const failed = async (sent: Partial<APIGatewayProxyEvent>) => {
    const [line] = await logged("info", () => invoke(write, sent));
    return [line?.path, line?.parameters, JSON.stringify(line).match(/4929|Lovelace|49170/), line?.reasons];
  };
  const ofJson = { "content-type": "application/json" };
  const members = { types: ["event", "x"], "4929123412341234": 1, "Ada Lovelace": 2, note: { "4929123412341234": 1 } };
  assert.deepEqual(
    await failed({ headers: ofJson, body: JSON.stringify(members), path: "/v1/things/4929123412341234" }),
    [
      "/v1/things/{id}",
      ["/types/1", "/note", "(unknown name)", "(unknown name)"],
      null,
      [
        'Invalid input: expected "event"',
        "Invalid input: expected string, received object",
        "Unknown member.",
        "Unknown member.",
      ],
    ],
  );
  const multiValueQueryStringParameters = { per_page: ["x"], "4929123412341234": ["1"], Lovelace: [""] };
  const [path, parameters, found] = await failed({ multiValueQueryStringParameters, path: "/v1/things/49170123456/7" });
  assert.deepEqual(
    [path, new Set(parameters as string[]), found],
    ["/v1/things/{id}/7", new Set(["per_page", "(unknown name)"]), null],
  );
  const [, ofHeader] = await failed({ headers: { ...ofJson, "if-match": "Lovelace" }, body: "{}" });
  assert.deepEqual(ofHeader, ["if-match"]);
  for (const [id, kept] of [
    ["123456789", "123456789"],
    ["1234567890", "{id}"],
  ])
    assert.equal((await failed({ path: `/v1/things/${id}` }))[0], `/v1/things/${kept}`);
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, ["1"]]));
  const [, ofMany] = await failed({ headers: ofJson, multiValueQueryStringParameters: many });
  assert.equal((ofMany as string[]).length, maximumErrors);
});

test("a super-admin's failure keeps neither its path nor its detail, which may contain names", async () => {
  const failing = endpoint({ ...declaration, caller: superAdmin() }, () => {
    throw new Problem("conflict", "Ada Lovelace");
  });
  const [line] = await logged("info", () => invoke(failing));
  assert.deepEqual([line?.code, line?.subject, line?.path], ["conflict", "someone", undefined]);
  assert.doesNotMatch(JSON.stringify(line), /Lovelace/);
});

test("a request that changed something counts as a change, unless it failed or repeats an earlier response", async () => {
  const changesOf = async (method: "GET" | "POST", answer: () => unknown) => {
    const caller = apiKeyHolder(method === "GET" ? "read" : "write:orders");
    const [line] = await logged("info", () => invoke(endpoint({ ...declaration, method, caller }, answer)));
    return line?.changes;
  };
  assert.equal(await changesOf("POST", () => ({})), 1);
  assert.equal(await changesOf("POST", () => new Reply({}, {}, true)), undefined);
  assert.equal(await changesOf("POST", () => endings.problem()), undefined);
  assert.equal(await changesOf("GET", () => ({})), undefined);
  const reading = endpoint({ ...declaration, method: "POST" }, () => ({}));
  const [line] = await logged("info", () => invoke(reading));
  assert.equal(line?.changes, undefined);
});

test("every line of a request has the id of Lambda's own lines, and an endpoint's lines also the gateway's", async () => {
  for (const level of ["info", "error"] as const) {
    const [line] = await logged(level, () => invoke(endpoint(declaration, endings.error)));
    assert.deepEqual([line?.request_id, line?.function_request_id], ["r1", "f1"]);
  }
  const context = { awsRequestId: "lambda-1" };
  const refused = { type: "TOKEN", authorizationToken: "Bearer x", methodArn: "arn" } as const;
  const [ofKey] = await logged("info", () => authorize(refused, context));
  // Without its settings it fails.
  const [ofPerson] = await logged("error", () => assert.rejects(authorizePerson(refused, context)));
  for (const line of [ofKey, ofPerson]) assert.equal(line?.function_request_id, "lambda-1");
});

test("an authorizer counts refused callers as 401, and its own faults as 500", async () => {
  const asked = (authorizationToken: string) => () =>
    authorize({ type: "TOKEN", authorizationToken, methodArn: "arn" });
  const [refused] = await logged("info", asked("Bearer tsk_"));
  assert.equal(embeddedMetricsOf(refused).values.status_401, 1);
  delete process.env.TABLE_NAME;
  const { key } = mintApiKey();
  const [failed] = await logged("error", () => assert.rejects(asked(`Bearer ${key}`)()));
  const { dimensions, values } = embeddedMetricsOf(failed);
  assert.deepEqual(dimensions, { operation_id: "apiKeyAuthorizer" });
  assert.equal(values.status_500, 1);
});

test("the feed logs the delay of its oldest record in seconds", async () => {
  await useTestTable();
  const attributes = { ApproximateReceiveCount: "1", SentTimestamp: String(Date.now() - 90_000) };
  const message = { messageId: "m", body: JSON.stringify(eventRecord(1, 1)), attributes } as SQSRecord;
  const time = { getRemainingTimeInMillis: () => 60_000 };
  const [line] = await logged("info", () => feed({ Records: [message] }, time));
  assert.ok(Number(line?.waited) >= 90 && Number(line?.waited) < 600, String(line?.waited));
});

test("metrics are part of the log line, and a process's first line counts as a cold start", async () => {
  const module = JSON.stringify(new URL("../../../functions/keys/apiKeyAuthorizer.ts", import.meta.url).href);
  const program = `
    const { handler } = await import(${module});
    for (const authorizationToken of ["x", "y"]) await handler({ authorizationToken, methodArn: "arn" });`;
  const env = { PATH: process.env.PATH, POWERTOOLS_METRICS_NAMESPACE: "ticketing-dev" };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
  const [first, second, ...others] = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(others, []);
  assert.equal(first.message, "authorization");
  assert.equal(embeddedMetricsOf(first).namespace, "ticketing-dev");
  assert.deepEqual(embeddedMetricsOf(first).values, { status_401: 1, cold_start: 1 });
  assert.deepEqual(embeddedMetricsOf(second).values, { status_401: 1 });
});

const { key, hash, prefix } = mintApiKey();
const signingSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+7/vBwcHBwc=";
const token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

test("keys, hashes, signing secrets and tokens are removed anywhere in a text, and a key's prefix stays", () => {
  for (const secret of [
    key,
    hash,
    key.slice(0, -1),
    signingSecret,
    token,
    `Bearer ${key}`,
    `bearer ${token}`,
    "Bearer x",
    "BEARER\tx",
    hash.toUpperCase(),
    key.toUpperCase(),
    signingSecret.toUpperCase(),
  ]) {
    for (const text of [`before ${secret} after`, `(${secret}) after`, `id_token=${secret}& after`]) {
      const clean = redact(text);
      assert.ok(!clean.includes(secret.slice(-9)) && clean.endsWith(" after"), clean);
    }
  }
  for (const secret of [key, token]) assert.ok(!redact(`%3D${secret}`).includes(secret.slice(13)));
  for (const harmless of [`key ${prefix}`, "dynamodb.eu-west-1.amazonaws.com", hash.slice(1), "keyJoin.lengthOfAll"]) {
    assert.equal(redact(harmless), harmless);
  }
});

test("a long text is cut before the search, and an excerpt is short", () => {
  assert.equal(redact("a".repeat(9_000)).length, 8_001);
  assert.equal(excerpt(`${"b".repeat(70)}${key}`), `${"b".repeat(64)}…`);
  for (const [text, shown] of [
    ["per_page", "per_page"],
    [`${"b".repeat(62)}🎭`, `${"b".repeat(62)}🎭`],
    [`${"b".repeat(63)}🎭c`, `${"b".repeat(63)}\ufffd…`],
    ["a\ud800b\0", "a\ufffdb\ufffd"],
  ] as const)
    assert.equal(excerpt(text), shown);
});

function written(work: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, "write").mockImplementation((line) => lines.push(String(line)) > 0),
  );
  work();
  for (const stream of streams) stream.mockRestore();
  return lines.map((line) => JSON.parse(line));
}

test("a written line has the trace's id, by which the saved query finds it", () => {
  process.env._X_AMZN_TRACE_ID = "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1";
  logger.setLogLevel("INFO");
  const [line] = written(() => logger.info("message"));
  assert.equal(line?.xray_trace_id, "1-5759e988-bd862e3fe1be46a994272793");
});

test("a written line contains no secret", () => {
  logger.setLogLevel("INFO");
  for (const secret of [key, hash, signingSecret, token, "Bearer x"]) {
    const error = new Error(secret, { cause: { nested: [new Error(`\u001f${secret}`), `\n${secret}`] } });
    const lines = written(() => logger.error(secret, { error, deep: { error: [error] } }));
    assert.equal(lines.length, 1);
    assert.ok(!JSON.stringify(lines).includes(secret));
  }
});
