import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, test } from "@jest/globals";
import { tools } from "../../functions/mcp/tools.ts";
import { clientOf } from "../support/http/client.ts";
import { startChildService } from "../support/service/childService.ts";

// Not part of `npm test`, because the clients are downloaded.
const { FASTMCP_PYTHON = "" } = process.env;
const { description } = await startChildService();
const [organisation = assert.fail()] = description.organisations;
const [{ key } = assert.fail()] = organisation.keys;
const api = clientOf(description.base_url, key);
const environment = {
  ...process.env,
  BASE_URL: description.base_url,
  API_KEY: key,
  BARCODE: "7001420080132",
  // The project's Node, because the Inspector needs a later one than 20.
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
};
const guide = readFileSync("docs/integrators/guides/assistants.md", "utf8");
const directory = await mkdtemp(join(tmpdir(), "assistants-"));
afterAll(() => rm(directory, { recursive: true }));

async function outputOf(program: string, values: string[]): Promise<string> {
  const options = { env: environment, cwd: directory, timeout: 300_000, maxBuffer: 10_000_000 };
  return (await promisify(execFile)(program, values, options)).stdout;
}

const [command = assert.fail()] = /^npx .*?(?=\n```)/ms.exec(guide) ?? [];

test("the guide's command for the Inspector returns the API's events", async () => {
  const { structuredContent } = JSON.parse(await outputOf("sh", ["-euc", command]));
  assert.deepEqual(structuredContent, await api.json("/v1/events?per_page=2"));
});

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
  const listed = JSON.parse(await outputOf("npx", ["--yes", inspector, ...options]));
  assert.deepEqual(
    listed.tools.map(({ name }: { name: string }) => name),
    Object.keys(tools),
  );
});

test("fastmcp answers what people ask, as the API does", async () => {
  const answers = JSON.parse(await outputOf(FASTMCP_PYTHON, [join(import.meta.dirname, "questions.py")]));
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
