import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, test } from "@jest/globals";
import { mintApiKey } from "../../functions/keys/apiKeySecret.ts";
import { tools } from "../../functions/mcp/tools.ts";
import { events } from "../../functions/resources/event.ts";
import { clientOf } from "../support/http/client.ts";
import { startChildService } from "../support/service/childService.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { clientsIn, failuresOf, installClients, outputOf } from "./clients.ts";
import { recordingProxy } from "./recordingProxy.ts";

// Not part of `npm test`, because the clients are downloaded.
const { FASTMCP_PYTHON = "" } = process.env;
const { description } = await startChildService();
const [organisation = assert.fail()] = description.organisations;
const [{ key } = assert.fail()] = organisation.keys;
const api = clientOf(description.base_url, key);
const environment = { BASE_URL: description.base_url, API_KEY: key, BARCODE: "7001420080132" };
const guide = readFileSync("docs/integrators/guides/assistants.md", "utf8");
const directory = temporaryDirectory();
const proxy = await recordingProxy(description.base_url, key);
beforeAll(() => installClients(directory));

const run = (program: string, ...values: string[]) => outputOf(program, values, directory, environment);

const firstEvents = await api.page("/v1/events", { per_page: 2 });

/** Asserts that an answer has the API's first two events, in their short form. */
function assertEvents(answer: string): void {
  const short = (row: Record<string, unknown>) => Object.fromEntries(events.short.map((name) => [name, row[name]]));
  const { more_fields: _, ...page } = JSON.parse(answer);
  assert.deepEqual(page, { ...firstEvents, data: firstEvents.data.map(short) });
}

const [command = assert.fail()] = /^npx .*?(?=\n```)/ms.exec(guide) ?? [];

test("the guide's command for the Inspector returns the API's first events, in both eras of the protocol", async () => {
  for (const era of ["legacy", "modern"]) {
    const { content } = JSON.parse(await run("sh", "-euc", `${command} --protocol-era ${era}`));
    assertEvents(content[0].text);
  }
});

test("the guide's curl shows whether the key works, which clients do not", async () => {
  const [, curl = assert.fail()] = /^```sh\n(curl .*?)\n```/ms.exec(guide) ?? [];
  const answer = /gets `(\{"jsonrpc".*?)`/.exec(guide)?.[1];
  assert.equal(await run("sh", "-euc", curl), answer);
  assert.match(await refusedOutput("sh", "-euc", curl), /"code":"unauthorized"/);
  const inspector = {
    refusal: "Interactive OAuth requires a TTY on stdin or stderr",
    command: ["sh", "-euc", command],
  };
  for (const { refusal, command } of [inspector, ...clientsIn(directory)]) {
    assert.ok(guide.includes(refusal));
    assert.ok((await refusedOutput(...command)).includes(refusal), refusal);
  }
});

/** The output of a program that fails because its key is refused. */
async function refusedOutput(program = "", ...values: string[]): Promise<string> {
  const environmentOfStranger = { ...environment, API_KEY: mintApiKey().key };
  return outputOf(program, values, directory, environmentOfStranger).then(
    () => assert.fail(`${program} should fail.`),
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
}

test("the guide's configuration connects the Inspector, which lists every tool", async () => {
  const [configuration = assert.fail()] = /^\{$.*?^\}$/ms.exec(guide) ?? [];
  const file = join(directory, "mcp.json");
  const values: Record<string, string | undefined> = environment;
  await writeFile(
    file,
    configuration.replace(/\$\{(\w+)\}/g, (_text, name) => values[name] ?? ""),
  );
  const [inspector = assert.fail()] = /@modelcontextprotocol\/inspector@[\d.]+/.exec(command) ?? [];
  const options = ["--cli", "--config", file, "--server", "ticketing", "--method", "tools/list"];
  const listed = JSON.parse(await run("npx", "--yes", inspector, ...options));
  assert.deepEqual(
    listed.tools.map(({ name }: { name: string }) => name),
    Object.keys(tools),
  );
});

test("fastmcp answers what people ask, as the API does", async () => {
  const answers = JSON.parse(await run(FASTMCP_PYTHON, join(import.meta.dirname, "questions.py")));
  const events = await api.rows("/v1/events");
  const [order] = await api.rows(`/v1/orders?reference=${answers.reference}&expand=tickets`);
  const { net } = Object(await api.json(`/v1/events/${answers.on_sale[0]}/summary`));
  const scanned = await api.rows("/v1/tickets?barcode=7001420080132&expand=order");
  assert.deepEqual(answers, {
    tools: Object.keys(tools),
    on_sale: events.filter((one) => one.ticketing_enabled && one.buying_enabled).map(({ id }) => id),
    reference: order?.reference,
    buyer: order?.email,
    bought: Object(order).tickets.map(({ id }: { id: number }) => id),
    admits: scanned.map(
      ({ status, checked_in, order }) => status === "valid" && checked_in === false && Object(order).status === "paid",
    ),
    net,
    changes: 5,
    refusal: "not_found",
  });
});

describe("a client lists and calls tools, and nothing that it sends is refused", () => {
  for (const { name, command, messages } of clientsIn(directory)) {
    test(name, async () => {
      proxy.take();
      const [program = "", ...values] = command;
      const sent = { ...environment, BASE_URL: proxy.baseUrl };
      const { answer, tools: listed } = JSON.parse(await outputOf(program, values, directory, sent));
      assertEvents(answer);
      assert.deepEqual(listed, Object.keys(tools));
      const posted = proxy.take().filter(({ method }) => method.startsWith("POST"));
      assert.deepEqual(
        posted.filter(({ status }) => status >= 400),
        [],
      );
      assert.equal(posted.findIndex(({ method }) => method === "POST tools/call") + 1, messages);
    });
  }
});

describe("the protocol's own scenarios pass", () => {
  for (const [scenario, version] of [
    ["server-initialize", "2025-11-25"],
    ["ping", "2025-11-25"],
    ["tools-list", "2025-11-25"],
    ["tools-list", "2026-07-28"],
    ["server-stateless", "2026-07-28"],
    ["http-header-validation", "2026-07-28"],
    ["caching", "2026-07-28"],
    ["dns-rebinding-protection", "2026-07-28"],
  ] as const) {
    test(`${scenario} of ${version}`, async () => {
      const results = temporaryDirectory();
      const options = ["--scenario", scenario, "--spec-version", version, "--output-dir", results];
      // The command also fails because of features that the service does not offer.
      await run("npx", "conformance", "server", "--url", `${proxy.baseUrl}/mcp`, ...options).catch(() => undefined);
      const [folder = assert.fail()] = await readdir(results);
      const checks = JSON.parse(await readFile(join(results, folder, "checks.json"), "utf8"));
      assert.ok(checks.some(({ status }: { status: string }) => status === "SUCCESS"));
      assert.deepEqual(failuresOf(checks), []);
    });
  }
});
