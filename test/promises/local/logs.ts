import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "@jest/globals";
import * as z from "zod";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { routes } from "../../../functions/mcp/routes.ts";
import { findSensitive, personalData } from "../../support/http/assertProblem.ts";
import { knownKeys, localService } from "../../support/service/testedService.ts";

const Line = z.looseObject({ level: z.string(), message: z.string(), timestamp: z.iso.datetime({ offset: true }) });

const KeyHolder = { organisation_id: z.int().positive(), key_prefix: z.string().length(12).startsWith("tsk_") };
/** Only super-admins have an organisation here. */
const Person = { organisation_id: z.int().positive().optional(), subject: z.uuid() };

const Request = Line.extend({
  message: z.literal("request"),
  request_id: z.uuid(),
  operation_id: z.enum(routes.map(({ operationId }) => operationId)),
  status: z.int().min(200).max(599),
  duration_ms: z.number().nonnegative(),
  dynamodb: z.strictObject({ calls: z.record(z.string(), z.int().positive()), capacity_units: z.number() }),
});

const RequestLine = z.union([Request.extend(KeyHolder), Request.extend(Person)]);

/** The log contains all tests before this one. */
async function readWholeLog() {
  const text = (await localService?.log()) ?? "";
  return {
    text,
    lines: text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  };
}

test("the log of all requests contains no key, hash, token or personal data", async () => {
  const { text } = await readWholeLog();
  const [key = ""] = knownKeys;
  const { key: other, hash } = mintApiKey();
  const signingSecret = `whsec_${randomBytes(32).toString("base64")}`;
  const headers = [`bearer ${key.slice(0, 5)}`, `Basic ${btoa(other)}`, "eyJhbGciOi.J9"];
  for (const planted of [key, other, hash, signingSecret, ...headers, ...personalData]) {
    assert.notDeepEqual(findSensitive(JSON.stringify({ planted }), knownKeys), [], planted);
  }
  assert.deepEqual(findSensitive(text, knownKeys), []);
});

test("the log of all requests has one JSON object per line, and a complete line for every request", async () => {
  const { lines } = await readWholeLog();
  const all = lines.map((line) => Line.parse(line, { error: () => JSON.stringify(line) }));
  const requests = all.filter(({ message }) => message === "request").map((line) => RequestLine.parse(line));
  assert.deepEqual(new Set(requests.map((line) => line.operation_id)), new Set(routes.map((e) => e.operationId)));
  assert.equal(new Set(requests.map((line) => line.request_id)).size, requests.length);
});

/** These may also read an item for the table's time, at first in a process and after someone has set the clock. */
const readAtFirst = ["listChanges", "recordBalancePayment"];

test("the log of all requests shows no call to the table that the endpoint does not declare", async () => {
  const { lines } = await readWholeLog();
  const requests = lines.map((line) => RequestLine.safeParse(line).data).filter((line) => line !== undefined);
  // The calls of a tool are in the line of its operation.
  for (const { operationId, table = [] } of [...endpoints, { ...mcp, table: [] }]) {
    const calls = requests
      .filter((line) => line.operation_id === operationId)
      .flatMap((line) => Object.keys(line.dynamodb.calls));
    // Deletions are parts of transactions.
    const first = readAtFirst.includes(operationId) ? ["GetItem"] : [];
    assert.deepEqual(
      new Set([...calls, ...first]),
      new Set(table?.filter((action) => action !== "DeleteItem")),
      `${operationId} declares other calls. If it reads only at first, it belongs in readAtFirst.`,
    );
  }
});
