import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import {
  CursorExpiredError,
  recordBalancePayment,
  syncChanges,
  type TicketingClient,
  TicketingError,
  ticketingClient,
} from "../../clients/typescript/index.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { clientStage } from "../generatedClients/clientStage.ts";
import { clientOf } from "../support/http/client.ts";
import { organisationId } from "../support/service/integratorStage.ts";
import { FaultServer, type Outcome, type Row, rows } from "./support/faults.ts";

/*
 * Installs the Python client that a stage serves into an empty environment, and checks and runs programs that use it. Not part of `npm test`,
 * because a machine may lack Python.
 */

const source = resolve(import.meta.dirname, "../../clients/python");
const program = resolve(import.meta.dirname, "python/program.py");
const readme = await readFile(join(source, "README.md"), "utf8");
const examples = [...readme.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = ""]) => code);

const directory = await mkdtemp(join(tmpdir(), "ticketing-python-"));
const python = join(directory, "environment/bin/python");
const run = (command: string, args: string[], options: object = {}) =>
  promisify(execFile)(command, args, { cwd: directory, maxBuffer: 64 * 1024 * 1024, ...options });
const pip = (...args: string[]) => run(python, ["-m", "pip", "--quiet", "--disable-pip-version-check", ...args]);

await run("python3", ["-m", "venv", "environment"]);
const stage = await clientStage();
const wheel = `${stage.BASE_URL}/clients/ticketing_client-${packageJson.version}-py3-none-any.whl`;
await pip("install", "--no-compile", wheel, "mypy==1.19.1", "pyright==1.1.414");
afterAll(() => rm(directory, { recursive: true }));

/** How a call of the TypeScript client ends. A read is of changes if their cursor expires, since only these can. */
async function outcomeOf(client: TicketingClient, { call, name }: Row): Promise<Outcome> {
  try {
    const path = { id: 1 };
    if (call === "record") await recordBalancePayment(client, 1, { type: "payment", amount: 1250 });
    else if (call === "update") await client.PATCH("/v1/orders/{id}", { params: { path }, body: { admin_note: null } });
    else if (name === "an expired cursor") await syncChanges(client).next();
    else await client.GET("/v1/events/{id}", { params: { path } });
    return { ok: true };
  } catch (error) {
    if (!(error instanceof TicketingError)) return { lost: true };
    return { status: error.status, code: error.code ?? null, isExpired: error instanceof CursorExpiredError };
  }
}

/** Runs a part of the program, and returns what it prints. */
async function call(part: string, input: unknown): Promise<unknown> {
  const child = run(python, [program, part]);
  child.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await child).stdout);
}

const { BASE_URL: baseUrl = "", API_KEY: apiKey = "" } = stage;
const idOf = (name: string) => Number(stage[`${name.toUpperCase()}_ID`]);
const names = ["event", "date", "order", "ticket", "payment", "discount", "attendee"] as const;
const ids = Object.fromEntries(names.map((name) => [name, idOf(name)]));
const given = { baseUrl, apiKey, email: "ada@example.org", barcode: "7331050090211", ...ids };

describe("the Python client's types", () => {
  test("pass mypy in strict mode and pyright, for the client and for a program that uses it", async () => {
    await writeFile(join(directory, "example.py"), examples[0] ?? "");
    const files = [join(source, "src/ticketing_client"), "example.py", program];
    await run(python, ["-m", "mypy", "--strict", "--python-version", "3.10", ...files]);
    await run(python, ["-m", "pyright", "--pythonpath", python, "--pythonversion", "3.10", ...files]);
  });

  test("refuse a method, an argument and a field that do not exist", async () => {
    const lines = [
      "client.nothing()",
      'client.orders(mail="a")',
      'client.event(1)["nam"]',
      "client.changes(types=['x'])",
    ];
    for (const line of lines) {
      const text = `from ticketing_client import Client\n\n\ndef use(client: Client) -> None:\n    ${line}\n`;
      await writeFile(join(directory, "misuse.py"), text);
      await assert.rejects(run(python, ["-m", "mypy", "--strict", "misuse.py"]), /Command failed/, line);
    }
  });
});

describe("the Python client's operations", () => {
  test("return what each read operation returns", async () => {
    const results = Object(await call("reads", given));
    const client = clientOf(baseUrl, apiKey);
    const queries: Record<string, string> = {
      listDates: "from=2020-01-01&to=2040-01-01T00:00:00%2B01:00",
      listOrders: "email=ada%40example.org",
      listTickets: "barcode=7331050090211&expand=order,date",
      getTicket: "expand=attendee",
      listAttendees: "email=ada%40example.org",
      listChanges: "types=order,ticket",
    };
    const reading = endpoints.filter(({ method, caller }) => method === "GET" && caller.scheme === "apiKey");
    for (const { operationId, path } of reading) {
      const [, , segment = ""] = path.split("/");
      const query = queries[operationId];
      const target = path.replace("{id}", String(idOf(segment.replace(/s$/, "")))) + (query ? `?${query}` : "");
      const expected = operationId.startsWith("list") ? await client.rows(target) : await client.json(target);
      assert.deepEqual(results[operationId], expected, operationId);
      if (Array.isArray(expected) && operationId !== "listEventBalancePayments")
        assert.ok(expected.length > 0, operationId);
    }
    assert.deepEqual(results.attempts, [[200, 1, `${baseUrl}/v1/key`]]);
  });

  test("record a payment once, and update only the state that was read", async () => {
    const expected = { same: true, amount: 5, note: "Aisle seat", stale: "precondition_failed" };
    assert.deepEqual(await call("writes", given), expected);
  });
});

describe("the Python client", () => {
  test("syncs into a dictionary and into SQLite in ten lines each, as the README shows", async () => {
    for (const example of examples.slice(1)) assert.ok(example.trim().split("\n").length <= 10);
    const { dictionary, sqlite } = Object(await call("sync", { ...given, examples: examples.slice(1) }));
    const changes = (await clientOf(baseUrl, apiKey).rows("/v1/changes")) as Record<string, unknown>[];
    const kept = changes.filter(({ data }) => data !== null).map(({ type, id, data }) => [type, id, data]);
    const sorted = (all: unknown[]) => all.map((row) => JSON.stringify(row)).sort();
    assert.ok(kept.length > 200 && kept.length < changes.length);
    assert.deepEqual(sorted(dictionary), sorted(kept));
    assert.deepEqual(sorted(sqlite), sorted(kept));
  });

  test("runs the README's example", async () => {
    const variables = { BASE_URL: baseUrl, API_KEY: apiKey, EVENT_ID: "7" };
    const { stdout } = await run(python, ["-c", examples[0] ?? ""], { env: { ...process.env, ...variables } });
    const expected = [`organisation ${organisationId}`, `${stage.EVENT_COUNT} events`, "balance 1250", "404 not_found"];
    assert.deepEqual(stdout.trim().split("\n"), expected);
  });

  test("verifies a webhook's message, and refuses forged, old and unsigned ones", async () => {
    const secret = `whsec_${Buffer.from("0".repeat(24)).toString("base64")}`;
    const body = JSON.stringify({ type: "test", timestamp: "2026-11-23T10:00:12Z", data: { organisation_id: 1 } });
    const message = (sentAt = new Date(), signed = body) => ({
      secret,
      body,
      headers: {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
        "Webhook-Signature": new Webhook(secret).sign("msg_1", sentAt, signed),
      },
    });
    const messages = [
      message(),
      message(new Date(), `${body} `),
      message(new Date(Date.now() - 6 * 60_000)),
      { secret, body, headers: {} },
      { ...message(), secret: "" },
    ];
    const refused = "WebhookVerificationError";
    assert.deepEqual(await call("webhooks", messages), ["test", refused, refused, refused, "ValueError"]);
  });

  test("fails at once without an address or a key, or with an invalid argument, and never shows the key", async () => {
    const bad = [{ base_url: "" }, { base_url: null }, { base_url: "example.com" }, { api_key: "" }, { api_key: null }];
    const others = [{ api_key: "tsk_secret\n" }, { timeout: 0 }, { max_retries: -1 }, { max_retries: 1.5 }];
    const results = (await call("arguments", [...bad, ...others, {}])) as string[];
    assert.equal(results.pop(), "accepted");
    for (const result of results) assert.match(result, /^(base_url must|api_key is|The API key|timeout|max_retries)/);
    assert.ok(!results.join().includes("secret"));
  });
});

describe("both clients meet each fault in the same way:", () => {
  const servers: FaultServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  async function assertOutcomes(call: (server: FaultServer) => Promise<Outcome[]>): Promise<void> {
    const server = await new FaultServer().start();
    servers.push(server);
    const outcomes = await call(server);
    for (const [index, { name, tries, outcome }] of rows.entries()) {
      const keys = server.tries[index] ?? [];
      assert.deepEqual({ ...outcomes[index], tries: keys.length }, { ...outcome, tries }, name);
      assert.equal(new Set(keys).size, 1, `${name}: the tries have different keys`);
    }
  }

  test("the Python client", () =>
    assertOutcomes(async (server) => {
      const input = rows.map(({ call }, index) => ({ url: server.urlOf(index), call }));
      const results = (await call("faults", input)) as (Outcome & { waits: number[] })[];
      const waitsOf = (name: string) => results[rows.findIndex((row) => row.name === name)]?.waits ?? [];
      assert.ok(Number(waitsOf("429 of a read")[0]) >= 5 && Number(waitsOf("429 of a read")[0]) <= 6);
      assert.ok(Number(waitsOf("Retry-After with a date")[0]) > 7);
      assert.ok(Number(waitsOf("Retry-After with nonsense")[0]) <= 1);
      return results.map(({ waits, ...outcome }) => outcome as Outcome);
    }));

  test("the TypeScript client", () =>
    assertOutcomes(async (server) => {
      const outcomes: Outcome[] = [];
      for (const [index, row] of rows.entries()) {
        const client = ticketingClient({ baseUrl: server.urlOf(index), apiKey: "tsk_test", wait: async () => {} });
        outcomes.push(await outcomeOf(client, row));
      }
      return outcomes;
    }));
});
