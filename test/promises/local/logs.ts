import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import * as z from "zod";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { routes } from "../../../functions/mcp/routes.ts";
import { findSensitive, personalData } from "../../support/http/assertProblem.ts";

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

/**
 * Asserts that the log of a run keeps its promises: no secret, one JSON object per line, and no call to the table that an operation does not
 * declare.
 * @param isWhole true if every page ran: then each operation must also have been called, and have made each declared call.
 */
export function assertLogs(log: string, knownKeys: readonly string[], isWhole: boolean): void {
  assertNothingSensitive(log, knownKeys);
  const lines = log.trimEnd().split("\n");
  const all = lines.map((line) => Line.parse(JSON.parse(line), { error: () => line }));
  const requests = all.filter(({ message }) => message === "request").map((line) => RequestLine.parse(line));
  assert.equal(new Set(requests.map((line) => line.request_id)).size, requests.length);
  const called = new Set(requests.map((line) => line.operation_id));
  if (isWhole)
    assert.deepEqual(called, new Set(routes.map((each) => each.operationId)), "Operations without a request.");
  assertDeclaredCalls(requests, isWhole);
}

function assertNothingSensitive(log: string, knownKeys: readonly string[]): void {
  const [key = ""] = knownKeys;
  const { key: other, hash } = mintApiKey();
  const signingSecret = `whsec_${randomBytes(32).toString("base64")}`;
  const headers = [`bearer ${key.slice(0, 5)}`, `Basic ${btoa(other)}`, "eyJhbGciOi.J9"];
  for (const planted of [key, other, hash, signingSecret, ...headers, ...personalData]) {
    assert.notDeepEqual(findSensitive(JSON.stringify({ planted }), knownKeys), [], planted);
  }
  assert.deepEqual(findSensitive(log, knownKeys), [], "The log contains a key, a hash, a token or personal data.");
}

/** These may also read an item for the table's time, at first in a process and after someone has set the clock. */
const readAtFirst = ["listChanges", "recordBalancePayment"];

function assertDeclaredCalls(requests: z.infer<typeof RequestLine>[], isWhole: boolean): void {
  // The calls of a tool are in the line of its operation.
  for (const { operationId, table = [] } of [...endpoints, { ...mcp, table: [] }]) {
    const calls = requests
      .filter((line) => line.operation_id === operationId)
      .flatMap((line) => Object.keys(line.dynamodb.calls));
    // Deletions are parts of transactions.
    const first = readAtFirst.includes(operationId) ? ["GetItem"] : [];
    const declared = new Set<string>(table?.filter((action) => action !== "DeleteItem"));
    assert.deepEqual(
      isWhole ? new Set([...calls, ...first]) : new Set([...calls, ...declared]),
      declared,
      `${operationId} declares other calls. If it reads only at first, it belongs in readAtFirst.`,
    );
  }
}
