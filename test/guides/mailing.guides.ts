import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { type RecordItem, recordItem, tombstone } from "../../functions/records/recordItem.ts";
import { upsertRecord } from "../../functions/records/upsertRecord.ts";
import type { Order } from "../../functions/resources/order.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { openTable } from "../../functions/table/table.ts";
import { useLocalTable } from "../../local/localService.ts";
import { attendeeRecord, orderRecord } from "../support/data/records.ts";
import { clientOf } from "../support/http/client.ts";
import { startChildService } from "../support/service/childService.ts";
import { until } from "../support/service/until.ts";
import { deletionOf } from "../support/sync/mirror.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { integratorEnvironment } from "./guideExamples.ts";

const { description } = await startChildService();
useLocalTable(description.dynamodb_endpoint, description.table_name);
const [organisation = assert.fail()] = description.organisations;
const { organisation_id: organisationId } = organisation;
const apiKey = organisation.keys[0]?.key ?? "";
const client = clientOf(description.base_url, apiKey);

const guide = await readFile(new URL("../../docs/integrators/guides/mailing.md", import.meta.url), "utf8");
const [, command = ""] = /^```sh\n(uvx .+ && python3 mailing\.py)\n/m.exec(guide) ?? [];
const [, program = ""] = /^```python\n([\s\S]*?)^```$/m.exec(guide) ?? [];
assert.ok(command && program, "The guide should have the command and the program.");

const directory = temporaryDirectory();
const PATH = [join(process.env.uv ?? "/usr", "bin"), integratorEnvironment.PATH].join(delimiter);
const env = { ...integratorEnvironment, PATH, BASE_URL: description.base_url, API_KEY: apiKey };

/** @returns what the program prints, below the line of `ticketing copy`, and the lines of the mailing list after it. */
async function update() {
  const { stdout } = await promisify(exec)(command, { cwd: directory, env });
  const list = await readFile(join(directory, "mailing.csv"), "utf8");
  return { printed: stdout.trim().split("\n").slice(1), lines: list.trim().split("\r\n").slice(1) };
}

/** Stores records, and waits until readers see the change of each. */
async function store(...items: RecordItem[]): Promise<void> {
  const keys = async () => (await client.rows("/v1/changes?types=order,attendee")).map(({ key }) => key);
  const before = new Set(await keys());
  for (const item of items) await upsertRecord(openTable(), item);
  await until(async () => (await keys()).filter((key) => !before.has(key)).length === items.length);
}

function buyer(id: number, fields: Partial<Order> = {}): InputRecord {
  return orderRecord(organisationId, id, { email: `buyer${id}@letters.example`, ...fields });
}

// The attendee has the id of an order of somebody else.
const buyers = [830_001, 830_002, 830_003].map((id) => buyer(id));
const shared = buyer(830_004, { email: " ΡΕΝΑΣ@Letters.example" });
const attendee = attendeeRecord(organisationId, 830_001, { email: "ρενας@letters\u200b.example" });
await store(...[...buyers, shared, attendee, buyer(830_005)].map(recordItem));
const consents = [...[1, 2, 3, 4].map((id) => `buyer83000${id}@LETTERS.example`), "ρενασ@letters.example"];
await writeFile(join(directory, "mailing.py"), program);
await writeFile(
  join(directory, "consents.csv"),
  ["\ufeffname,address", ...consents.map((one) => `A,${one}`)].join("\n"),
);
const first = await update();

test("the mailing list has only addresses with a consent, and each once", () => {
  const ofBuyers = [1, 2, 3].map((id) => `buyer83000${id}@letters.example,order-83000${id}`);
  expect(first.lines).toEqual(["ρενας@letters.example,attendee-830001 order-830004", ...ofBuyers]);
});

const anonymous = { first_name: null, last_name: null, email: null };

test.each([
  { change: "a deletion without an address", id: 830_001, itemOf: (id: number) => tombstone(deletionOf(buyer(id))) },
  { change: "an anonymised row", id: 830_002, itemOf: (id: number) => recordItem(buyer(id, anonymous)) },
  { change: "a refunded order", id: 830_003, itemOf: (id: number) => recordItem(buyer(id, { status: "refunded" })) },
])("$change removes exactly its row's address from the mailing list", async ({ id, itemOf }) => {
  const before = await update();
  await store(itemOf(id));
  const { printed, lines } = await update();
  expect(printed).toEqual([`- buyer${id}@letters.example (order-${id})`]);
  expect(lines).toEqual(before.lines.filter((line) => !line.endsWith(`order-${id}`)));
});

test("an address of two rows stays in the mailing list until both are deleted", async () => {
  await update();
  await store(tombstone(deletionOf(shared)));
  const { printed, lines } = await update();
  expect(printed).toEqual([]);
  expect(lines).toContain("ρενας@letters.example,attendee-830001");
  await store(tombstone(deletionOf(attendee)));
  expect((await update()).printed).toEqual(["- ρενας@letters.example (attendee-830001)"]);
});
