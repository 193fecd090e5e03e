import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import { acceptedInstants, refusedInstants } from "../../../test/support/data/instants.ts";
import { anyRecord } from "../../../test/support/data/records.ts";
import { clientOf } from "../../../test/support/http/client.ts";
import { startChildService } from "../../../test/support/service/childService.ts";
import {
  acceptedAt,
  eventIds,
  integratorStage,
  organisationId,
  purchase,
  stageOrder,
} from "../../../test/support/service/integratorStage.ts";
import { until } from "../../../test/support/service/until.ts";
import { deletionOf } from "../../../test/support/sync/mirror.ts";
import { temporaryDirectory } from "../../../test/support/temporaryDirectory.ts";
import packageJson from "../../client-typescript/package.json" with { type: "json" };
import { assertMeetsFaults, type Met } from "../../client-typescript/test/support/faultServer.ts";
import { faults } from "../../client-typescript/test/support/faults.ts";

/*
 * Installs the Python client that a stage serves into an empty environment, and checks and runs programs that use it. Not part of `npm test`,
 * because a machine may lack Python.
 */

const source = resolve(import.meta.dirname, "..");
const program = resolve(import.meta.dirname, "program.py");
const readme = await readFile(join(source, "README.md"), "utf8");
const examples = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = ""]) => code);

const directory = temporaryDirectory();
const python = join(directory, "environment/bin/python");
const run = (command: string, args: string[], options: object = {}) =>
  promisify(execFile)(command, args, { cwd: directory, maxBuffer: 64 * 1024 * 1024, ...options });

await run("python3", ["-m", "venv", "environment"]);
const stage = await integratorStage((await startChildService()).description);
const { baseUrl, apiKey } = stage;
const [, install = assert.fail()] = /^```sh\n(.*?)^```$/ms.exec(readme) ?? [];
const PATH = [dirname(python), process.env.PATH].join(delimiter);
await run("sh", ["-ec", install], { env: { ...process.env, PATH, BASE_URL: baseUrl } });
const [, ofCommand = assert.fail()] =
  /^cli = (\[.+\])$/m.exec(await readFile(join(source, "pyproject.toml"), "utf8")) ?? [];
const checkers = ["mypy==1.19.1", "pyright==1.1.414"];
await run(python, ["-m", "pip", "install", "--quiet", "--no-compile", ...checkers, ...JSON.parse(ofCommand)]);

/** Runs a part of the program, and returns what it prints. */
async function call(part: string, input: unknown): Promise<unknown> {
  const child = run(python, [program, part]);
  child.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await child).stdout);
}

const ids = { event: 2, date: 1, order: 4, ticket: 3, payment: 5, discount: 2, attendee: 1 };
const given = { baseUrl, apiKey, email: "ada@example.org", barcode: "7331050090219", ...ids };
// Two pages of two rows do not hold all of a type. One is of another date, and one of another order.
const childTypes = recordTypes.filter((type) => type !== "event" && type !== "order");
const recordsOf = (id: number, name = "A name") => {
  const parents = { event_id: ids.event, date_id: id === 6 ? 2 : ids.date, order_id: id === 1 ? 5 : ids.order };
  return childTypes.map((type) => {
    const text = type === "ticket" ? given.barcode : name;
    return anyRecord(type, organisationId, id, text, { ...parents, ticket_category_id: id, ticket_id: id });
  });
};
for (const id of [1, 2, 3, 4, 5, 6]) await stage.put(...recordsOf(id));
const client = clientOf(baseUrl, apiKey);
// Summaries are counted later.
const soldOf = async (path: string) => Object(await client.json(path)).tickets_sold;
await until(async () => (await soldOf("/v1/dates/1/summary")) === 5 && (await soldOf("/v1/events/2/summary")) === 6);

describe("the Python client's types", () => {
  test("pass mypy in strict mode and pyright, for the client and for a program that uses it", async () => {
    await writeFile(join(directory, "example.py"), examples[0] ?? "");
    const webhook = (examples[3] ?? "").replaceAll(/^/gm, "    ");
    const parameters = "secret: str, headers: dict[str, str], body: bytes";
    const receiver = `from ticketing_client import verify_webhook\n\n\ndef use(${parameters}) -> None:\n${webhook}`;
    await writeFile(join(directory, "receiver.py"), receiver);
    const files = [join(source, "src/ticketing_client"), "example.py", "receiver.py", program];
    await run(python, ["-m", "mypy", "--strict", "--python-version", "3.10", ...files]);
    await run(python, ["-m", "pyright", "--pythonpath", python, "--pythonversion", "3.10", ...files]);
  });

  test("refuse a method, an argument and a field that do not exist", async () => {
    const misuses = [
      "client.nothing()",
      'client.orders(mail="a")',
      'client.event(1)["nam"]',
      "client.changes(types=['x'])",
      "client.changes(changed_since=1.5)",
      "client.dates(start=5)",
      'verify_webhook("", {}, b"")["typ"]',
      'verify_webhook("", {"webhook-id": 1}, b"")',
      'verify_webhook("", {}, {})',
      'verify_webhook("", {}, b"")["data"]["changes"]',
    ];
    const head = ["from ticketing_client import Client, verify_webhook", "", "", "def use(client: Client) -> None:"];
    const text = [...head, ...misuses.map((line) => `    ${line}`), ""].join("\n");
    await writeFile(join(directory, "misuse.py"), text);
    const { stdout } = await run(python, ["-m", "mypy", "--strict", "misuse.py"]).catch((error) => error);
    for (const [index, misuse] of misuses.entries())
      assert.ok(stdout.includes(`misuse.py:${head.length + index + 1}: error:`), misuse);
  });
});

function idIn(path: string): number | undefined {
  const [, , resources = ""] = path.split("/");
  return path.includes("{id}") ? new Map(Object.entries(ids)).get(resources.replace(/s$/, "")) : undefined;
}

describe("the Python client's read operations", () => {
  test("return what each read operation returns, over all pages", async () => {
    const reading = endpoints
      .filter(({ method, caller }) => method === "GET" && caller.scheme === "apiKey")
      .map(({ operationId, path }) => ({ operationId, path, id: idIn(path) }));
    const calls = reading.map(({ operationId, id }) => [operationId, id === undefined ? [] : [id]]);
    const results = Object(await call("reads", { ...given, reading: calls }));
    const queries: Record<string, string> = {
      listEvents: "from=2020-01-01",
      listPayments: "completed_to=2040-01-01&expand=order",
      getPayment: "expand=event",
      listDates: "from=2020-01-01&to=2040-01-01T00:00:00%2B01:00",
      listOrders: "email=ada%40example.org&from=2020-01-01&to=2040-01-01",
      listTickets: "barcode=7331050090219&expand=order,date",
      getTicket: "expand=attendee",
      listAttendees: "email=ada%40example.org",
      listChanges: "types=order,ticket",
    };
    for (const { operationId, path, id } of reading) {
      const query = queries[operationId];
      const target = path.replace("{id}", String(id)) + (query ? `?${query}` : "");
      const expected = operationId.startsWith("list") ? await client.rows(target) : await client.json(target);
      assert.deepEqual(results[operationId], expected, operationId);
      if (Array.isArray(expected) && operationId !== "listEventBalancePayments")
        assert.ok(expected.length > 4, operationId);
    }
    assert.deepEqual(results.attempts, [[200, 1, `${baseUrl}/v1/key`]]);
  });
});

describe("the Python client's changes", () => {
  test("come from all pages, from any start and of any types", async () => {
    const all = await client.rows("/v1/changes");
    const second = eventIds.length + 5;
    const since = acceptedAt(second);
    const local = new Date(Date.parse(since) + 2 * 60 * 60 * 1_000).toISOString();
    const starts: { start: object; first: number; types?: string[] }[] = [];
    for (const types of [undefined, ["order"], ["ticket", "ticket_category", "event"]]) {
      const first = all.slice(0, second - 1).filter(({ type }) => types?.includes(String(type)) ?? true).length;
      const query = { per_page: 3, ...(types && { types: types.join() }) };
      const cursor = (await client.page("/v1/changes", query)).pagination.resume_cursor;
      for (const [start, skipped] of [
        [{}, 0],
        [{ changed_since: since }, first],
        [{ changed_since: local.replace("Z", "+02:00") }, first],
        [{ datetime: local.replace("Z", "+02:00") }, first],
        [{ cursor }, 3],
        [{ cursor, changed_since: since }, 3],
      ] as const)
        starts.push({ start: { ...start, ...(types && { types }) }, first: skipped, ...(types && { types }) });
    }
    const naive = { datetime: "2026-11-21T10:00:00" };
    const pages = (await call("changes", {
      ...given,
      starts: [...starts.map(({ start }) => start), naive],
    })) as unknown[];
    for (const [index, { start, first, types }] of starts.entries()) {
      const found = pages[index] as [string, number][][];
      const expected = all.filter(({ type }) => types?.includes(String(type)) ?? true).slice(first);
      assert.deepEqual(
        found.flat(),
        expected.map(({ type, id }) => [type, id]),
        JSON.stringify(start),
      );
      assert.ok(found.length > 1, `${JSON.stringify(start)}: ${found.length} pages`);
    }
    assert.equal(pages.at(-1), "A datetime needs a time zone: datetime.now(timezone.utc).");
  });
});

test("the Python client passes on every text of a time, and the service judges it", async () => {
  const texts = [...Object.keys(acceptedInstants), ...Object.keys(refusedInstants)];
  const results = (await call("times", { ...given, texts })) as unknown[];
  for (const [index, text] of texts.entries()) {
    const accepted = text in acceptedInstants && (await client.rows(`/v1/dates?from=${encodeURIComponent(text)}`));
    assert.equal(results[index], accepted ? accepted.length : "invalid_request", text);
  }
});

describe("the Python client's examples", () => {
  test("sync into a dictionary and into SQLite in ten lines each, as the README shows", async () => {
    const mirrors = examples.slice(1, 3);
    const byKey = (rows: Record<string, unknown>[]) => new Map(rows.map((row) => [`${row.type} ${row.id}`, row]));
    for (const example of mirrors) assert.ok(example.trim().split("\n").length <= 10);
    const assertEqual = async () => {
      const { dictionary, sqlite } = Object(await call("sync", { ...given, examples: mirrors }));
      const kept = (await client.rows("/v1/changes")).filter(({ change }) => change === "upserted");
      assert.deepEqual(byKey(dictionary), byKey(kept));
      assert.deepEqual(byKey(sqlite), byKey(kept));
      return kept;
    };
    assert.ok((await assertEqual()).some(({ type, event_id }) => type === "ticket_category" && event_id === ids.event));
    await stage.remove(...recordsOf(1).map(deletionOf));
    await stage.put(...recordsOf(2, "changed"), stageOrder(2, "CHANGED"));
    await assertEqual();
  });

  test("run as the README shows", async () => {
    const EMAIL = "grace@example.org";
    await stage.put(...purchase(EMAIL));
    const variables = { BASE_URL: baseUrl, API_KEY: apiKey, EMAIL, EVENT_ID: "7" };
    const { stdout } = await run(python, ["-c", examples[0] ?? ""], { env: { ...process.env, ...variables } });
    assert.deepEqual(stdout.trim().split("\n"), [
      `organisation ${organisationId}`,
      `${eventIds.length} events`,
      "K7P2QX: Event 3, 2 tickets, 3 payments",
      "balance 1250",
      "404 not_found",
    ]);
  });
});

describe("the Python client", () => {
  test("records a payment once, and updates only the state that was read", async () => {
    const texts = ["2/../../key", "../key", "2?per_page=1", "2#", "%32", ""];
    const expected = { same: true, amount: 5, note: "Aisle seat", stale: "precondition_failed" };
    assert.deepEqual(await call("writes", { ...given, texts }), {
      ...expected,
      noKey: "invalid_request",
      elsewhere: texts.map(() => "An id must be an integer."),
    });
  });

  test("ends with an error if a page leads back to itself", async () => {
    const repeated = ["The page's next_cursor equals the cursor of the request.", 0];
    assert.deepEqual(await call("cursors", {}), [repeated, repeated]);
  });

  test("fails at once without an address or a key, or with an invalid argument, and never shows the key", async () => {
    const bad = [{ base_url: "" }, { base_url: null }, { base_url: "example.com" }, { api_key: "" }, { api_key: null }];
    const others = [
      { api_key: "tsk_secret\n" },
      { timeout: 0 },
      { timeout: "3" },
      { max_retries: -1 },
      { max_retries: 1.5 },
    ];
    const results = (await call("arguments", [...bad, ...others, {}])) as string[];
    assert.equal(results.pop(), "accepted");
    for (const result of results) assert.match(result, /^(base_url must|api_key is|The API key|timeout|max_retries)/);
    assert.ok(!results.join().includes("secret"));
  });
});

describe("the Python client's verify_webhook", () => {
  test("returns a signed message, and refuses forged, old and unsigned ones", async () => {
    const secret = `whsec_${Buffer.from("0".repeat(24)).toString("base64")}`;
    const timestamp = "2026-11-23T10:00:12Z";
    const body = JSON.stringify({ type: "test", timestamp, data: { organisation_id: 1 } });
    const change = { type: "ticket_category", id: 5, change: "upserted", changed_at: timestamp, event_id: 7 };
    const data = { organisation_id: 1, has_more: false, changes: [change] };
    const message = (sentAt = new Date(), signed = body) => ({
      secret,
      body,
      headers: {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
        "Webhook-Signature": new Webhook(secret).sign("msg_1", sentAt, signed),
      },
    });
    const changes = JSON.stringify({ type: "changes", timestamp, data });
    const messages = [
      message(),
      { ...message(new Date(), changes), body: changes },
      message(new Date(), `${body} `),
      message(new Date(Date.now() - 6 * 60_000)),
      { secret, body, headers: {} },
      { ...message(), secret: "" },
    ];
    const refused = "WebhookVerificationError";
    assert.deepEqual(await call("webhooks", messages), [
      1,
      [["ticket_category", 7]],
      ...[refused, refused, refused, "ValueError"],
    ]);
  });

  test("reads headers and body of any kind, and names an argument that is wrong", async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const body = JSON.stringify({ type: "test", timestamp: "2026-11-23T10:00:12Z", data: { organisation_id: 1 } });
    const sentAt = new Date();
    const headers = {
      "Webhook-Id": "msg_1",
      "Webhook-Timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
      "Webhook-Signature": new Webhook(secret).sign("msg_1", sentAt, body),
    };
    const short = Buffer.alloc(23, 7).toString("base64");
    const malformed = ["", "whsec_", "tsk_4fQ9wLxT", `whsec_${short}`, secret.slice(0, -1), `${secret}A`];
    const outcome = Object(await call("webhook_arguments", { secret, headers, body, malformed }));
    const wrongType = (argument: string) =>
      `TypeError: ${argument} has a wrong type. Pass the request's headers, and its raw body as bytes or text, not parsed.`;
    const refused = "ValueError: The secret must be a webhook's: whsec_ and at least 24 bytes in Base64.";
    assert.deepEqual(outcome, {
      accepted: Array(9).fill(JSON.parse(body)),
      headers: Array(9).fill(wrongType("headers")),
      body: Array(5).fill(wrongType("body")),
      no_secret: Array(3).fill("TypeError: secret must be a str."),
      malformed: malformed.map(() => refused),
      quoted: Array(2).fill(`${refused} The given secret includes quotation marks: remove them.`),
    });
  });
});

test("the Python client sends what it promises, keeps its caller's HTTP client open, and has whole errors", async () => {
  const errors = [{ pointer: "/amount", detail: "Must be positive." }];
  const problem = { code: "forbidden", detail: "No.", errors, required_scope: "write:orders", request_id: "r-1" };
  const url = "https://api.example.com/v1/events/1/balance-payments";
  const agent = `ticketing-client-python/${packageJson.version}`;
  assert.deepEqual(await call("sent", problem), {
    error: [403, "forbidden", "No.", errors, "write:orders", "r-1"],
    message: "403 forbidden No. (request r-1)",
    urls: [url, url],
    agents: [`nightly-sync/2.1 ${agent}`, agent],
    // Otherwise the second payment would be the first one again.
    keys: 2,
    timeouts: { connect: 30, read: 30, write: 30, pool: 30 },
    attempts: [["request-1", true]],
  });
});

test("the Python client meets each fault as all clients do", () =>
  assertMeetsFaults(async (urls) => {
    const input = faults.map(({ call, timeoutMs }, index) => ({ url: urls[index], call, timeoutMs }));
    return (await call("faults", input)) as Met[];
  }));
