import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { readFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import type { Order } from "../../functions/resources/order.ts";
import type { Ticket } from "../../functions/resources/ticket.ts";
import { itemKeys } from "../../functions/table/itemKeys.ts";
import { paginate, ticketingClient } from "../../packages/client-typescript/index.ts";
import { attendeeRecord, dateRecord, orderRecord, ticketRecord } from "../support/data/records.ts";
import { deleteItems } from "../support/data/table.ts";
import { collect } from "../support/http/client.ts";
import { startChildService } from "../support/service/childService.ts";
import {
  eventIds,
  integratorStage,
  orderIds,
  organisationId,
  purchase,
  stageOrder,
} from "../support/service/integratorStage.ts";
import {
  deletionOf,
  type Row,
  recordsOfAllTypes,
  sortedRows,
  sourceRows,
  writeThroughApi,
} from "../support/sync/mirror.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { testClientPackage } from "./clientPackage.ts";
import {
  curlIn,
  exampleIn,
  followGuide,
  type Guide,
  guides,
  guideText,
  integratorEnvironment,
  type Language,
  languages,
  receiverGuide,
} from "./guideExamples.ts";
import { installClient } from "./installedClient.ts";
import { mirrorFormats } from "./mirrors.ts";
import { testReadme } from "./readmeRequests.ts";

// Not part of `npm test`, because a machine may lack curl or Python.
const inShell = promisify(exec);
const { description } = await startChildService();
const stage = await integratorStage(description);
const { baseUrl: BASE_URL, apiKey: API_KEY } = stage;
const client = ticketingClient(stage);
const project = await installClient(BASE_URL);
const followed = new Map<string, Awaited<ReturnType<typeof followGuide>>>();

/** Follows a guide only once, because its commands may install packages. */
async function runnerOf(guide: Guide, language: Language) {
  const name = `${guide} ${language}`;
  const runner = followed.get(name) ?? (await followGuide(guide, language, { BASE_URL, API_KEY }));
  followed.set(name, runner);
  return runner;
}

test("the TypeScript examples compile with Node's types", async () => {
  const examples = await Promise.all(([...guides, receiverGuide] as const).map((guide) => exampleIn(guide, "ts")));
  for (const install of new Set(examples.flatMap(({ installs }) => installs)))
    await inShell(install, { cwd: project.directory, env: { ...integratorEnvironment, BASE_URL } });
  const types = ["--types", "node", "--typeRoots", resolve(import.meta.dirname, "../../node_modules/@types")];
  const options = ["--module", "nodenext", "--lib", "es2022", ...types];
  await project.compile(Object.fromEntries(examples.map(({ file, code }) => [file, code])), options);
});

for (const language of languages) {
  test(`the ${language} example of paging counts the events of all pages`, async () => {
    assert.equal(await (await runnerOf("basics", language)).run(), `${eventIds.length} events`);
  });

  test(`the ${language} example of errors and retries prints the problem`, async () => {
    assert.equal(await (await runnerOf("errors-and-retries", language)).run(), "404 not_found");
  });
}

test("the TypeScript example of paging runs with the oldest Node that the README asks for", async () => {
  const [, oldest = assert.fail()] = /Node (\d+) or later/.exec(await readFile("README.md", "utf8")) ?? [];
  const directory = temporaryDirectory();
  await inShell(`npm install node@${oldest}`, { cwd: directory, env: integratorEnvironment });
  const PATH = [join(directory, "node_modules/.bin"), integratorEnvironment.PATH].join(delimiter);
  assert.equal(await (await runnerOf("basics", "ts")).run({ PATH }), `${eventIds.length} events`);
});

/** The parents of the records that the examples store. */
const [eventId, dateId] = [eventIds.length, 1];

/** The door of the examples, and another date and category. */
const [doorDate, otherDate, doorCategory, otherCategory] = [dateId, dateId + 1, 150823, 150824];

interface Scanned {
  /** The fields of the tickets with a barcode that differ from those of one that may enter. */
  tickets: Partial<Ticket>[];
  order?: Order["status"] | null;
  /** The beginnings of what successive scans print. */
  decisions: string[];
}

const checkedIn = { checked_in: true, date_checked_in: "2026-11-27T18:40:00Z" };

/** Each rule of the guide's table, with the tickets that a scan finds. */
const rules: Record<string, Scanned> = {
  "an unknown barcode": { tickets: [], decisions: ["refuse: unknown barcode. Is the scanner set to"] },
  "a ticket, which enters only once": { tickets: [{}], decisions: ["admit", "refuse: already admitted"] },
  "a void ticket": { tickets: [{ status: "void" }], decisions: ["refuse: the ticket is void"] },
  "a refunded order": { tickets: [{}], order: "refunded", decisions: ["refuse: the order is refunded"] },
  "a pending order": { tickets: [{}], order: "pending", decisions: ["refuse: the order is pending"] },
  "an order that does not exist": { tickets: [{}], order: null, decisions: ["refuse: the order is unknown"] },
  "a ticket for another date": {
    tickets: [{ date_id: otherDate }],
    decisions: [`refuse: the ticket is for the date ${otherDate}`],
  },
  "a ticket that is checked in": {
    tickets: [checkedIn],
    decisions: [`refuse: checked in at ${checkedIn.date_checked_in}`],
  },
  "a category of another door": {
    tickets: [{ ticket_category_id: otherCategory }],
    decisions: [`refuse: another door admits the category ${otherCategory}`],
  },
  "several tickets, of which one passes": {
    tickets: [{ status: "void" }, checkedIn, {}],
    decisions: ["admit", "refuse: already admitted"],
  },
  "two tickets that pass": { tickets: [{}, {}], decisions: ["admit", "admit", "refuse: already admitted"] },
  "texts that look like JSON": { tickets: [{ seat: '{"status":"void"}' }], decisions: ["admit"] },
};

test("every rule of door scanning is tested with the examples", async () => {
  const [, table = ""] =
    /\| check \| refuse if \|\n\|---\|---\|\n([\s\S]*?)\n\n/.exec(await guideText("door-scanning")) ?? [];
  const checks = table.split("\n").map((row) => row.split("|")[1]?.trim());
  // A rule that is added here needs a ticket above.
  expect(checks).toEqual(["the list", "`status`", "`order`", "`date_id`", "`checked_in`", "`ticket_category`"]);
});

for (const [language, offset] of languages.map((one, index) => [one, 10_000 * (index + 1)] as const)) {
  test.each(Object.keys(rules))(`the ${language} example of door scanning decides about %s`, async (rule) => {
    const { tickets, order = "paid", decisions } = rules[rule] ?? assert.fail();
    const id = 800_000 + offset + 10 * Object.keys(rules).indexOf(rule);
    const barcode = `{"0${id}":"+ &"}`;
    if (order !== null) await stage.put(orderRecord(organisationId, id, { status: order }));
    const usual = { event_id: eventId, date_id: doorDate, order_id: id, ticket_category_id: doorCategory, barcode };
    const given = { status: "valid", checked_in: false, date_checked_in: null } as const;
    await stage.put(
      ...tickets.map((fields, index) => ticketRecord(organisationId, id + index, { ...usual, ...given, ...fields })),
    );
    const door = { BARCODE: barcode, DATE_ID: String(doorDate), CATEGORY_IDS: `7,${doorCategory}` };
    const { run } = await runnerOf("door-scanning", language);
    for (const decision of decisions) {
      const printed = await run(door);
      assert.ok(printed.startsWith(decision), printed);
    }
  });

  test(`the ${language} example of door scanning refuses texts that the service cannot look up, and says so`, async () => {
    const { run } = await runnerOf("door-scanning", language);
    for (const BARCODE of ["", " ", "\ufffd", "x".repeat(2_049), "é".repeat(5_000)]) {
      const printed = await run({ BARCODE, DATE_ID: "1", CATEGORY_IDS: "1" });
      assert.ok(printed.startsWith("refuse: not a ticket. "), printed);
    }
    // A shell passes bytes that are not UTF-8, which an environment of Node cannot have.
    const damaged = await run({ DATE_ID: "1", CATEGORY_IDS: "1" }, "BARCODE=$(printf '\\377')");
    assert.ok(damaged.startsWith("refuse: not a ticket. "), damaged);
  });

  test(`the ${language} example of door scanning fails without a decision if the service does not answer`, async () => {
    const { run } = await runnerOf("door-scanning", language);
    const door = { BARCODE: "1", DATE_ID: "1", CATEGORY_IDS: "1", BASE_URL: "http://127.0.0.1:9" };
    const { code, stdout }: { code: number; stdout: string } = await run(door).then(assert.fail, (error) => error);
    assert.ok(code > 0);
    assert.equal(stdout, "");
  });
}

for (const [index, language] of languages.entries()) {
  test(`the ${language} example of incremental sync keeps a mirror equal to the source`, async () => {
    const { directory, run } = await runnerOf("incremental-sync", language);
    const assertEqual = async () => {
      const mirror = await mirrorFormats[language].rows(directory);
      expect(sortedRows(mirror)).toEqual(sortedRows(await sourceRows(client, [eventId], [dateId, otherDate])));
    };
    const recordsOf = (id: number, text: string) => recordsOfAllTypes(1_000 * (index + 1) + id, eventId, dateId, text);
    const [first, second] = [recordsOf(1, "first"), recordsOf(2, "second")];
    const dates = [dateId, otherDate].map((id) => dateRecord(organisationId, eventId, id));
    await stage.put(...dates, ...first, ...second);
    await run();
    await assertEqual();

    await stage.remove(...first.map(deletionOf));
    await stage.put(...recordsOf(2, "changed"), ...recordsOf(3, "new"));
    await writeThroughApi(client, stage, { eventId, orderId: orderIds[index] ?? 0 });
    assert.equal(await run(), `${3 * first.length + 2} changes`);
    await assertEqual();

    await stage.remove(...second.map(deletionOf));
    await stage.put(...recordsOf(1, "restored"), ...recordsOf(3, "new"));
    assert.equal(await run(), `${2 * first.length} changes`);
    await assertEqual();
    assert.equal(await run(), "0 changes");
    await assertEqual();
  });

  test(`the ${language} example of incremental sync starts over when its cursor has expired`, async () => {
    const { directory, run } = await runnerOf("incremental-sync", language);
    const { rows, setCursor } = mirrorFormats[language];
    const order = stageOrder(10_000 + index);
    await stage.put(order);
    await run();
    const mirror = sortedRows(await rows(directory));
    // As if the deletion were no longer shown.
    await deleteItems([{ ...itemKeys.order(organisationId, order.data.id) }]);
    await setCursor(directory, await stage.expiredCursor());
    assert.notEqual(await run(), "0 changes");
    const isGone = ({ type, id }: Row) => type === "order" && id === order.data.id;
    expect(sortedRows(await rows(directory))).toEqual(mirror.filter((row) => !isGone(row)));
    assert.ok(mirror.some(isGone));
    assert.equal(await run(), "0 changes");
  });
}

// After the sync's examples, because it shows changes by these only later.
for (const [index, language] of languages.entries()) {
  test(`the ${language} example of writes records a payment once`, async () => {
    const id = eventIds[index] ?? 0;
    const { run } = await runnerOf("writes", language);
    assert.equal(await run({ EVENT_ID: String(id) }), "balance 1250, and again 1250");
    assert.equal(await run({ EVENT_ID: String(id) }), "balance 2500, and again 2500");
    const records = paginate(client, "/v1/events/{id}/balance-payments", { params: { path: { id } } });
    const balances = (await collect(records)).map(({ balance_after }) => balance_after);
    assert.deepEqual(balances, [2500, 1250]);
  });
}

test("the curl commands of the basics return the key, and all orders with their tickets", async () => {
  const env = { ...integratorEnvironment, BASE_URL, API_KEY };
  const commands = await curlIn("basics");
  const [key, orders] = await Promise.all(
    commands.map(async (one) => JSON.parse((await inShell(one, { env })).stdout)),
  );
  assert.equal(key.organisation_id, organisationId);
  assert.ok(orders.data.length >= orderIds.length && !orders.pagination.has_more);
  for (const { id, tickets } of orders.data) assert.ok(Array.isArray(tickets), String(id));
});

test("the curl commands of writes change only the version of an order that they have read", async () => {
  const [id = 0] = orderIds;
  const [commands = assert.fail()] = await curlIn("writes");
  const cwd = temporaryDirectory();
  const env = { ...integratorEnvironment, BASE_URL, API_KEY, ORDER_ID: String(id) };
  await inShell(commands, { env, cwd });
  const { data } = await client.GET("/v1/orders/{id}", { params: { path: { id } } });
  assert.equal(data.admin_note, "Wheelchair place");
  // With the tag of the first read, as after a change by somebody else.
  const again = `etag=$(sed -n ${commands.split("sed -n ")[1]}`;
  await assert.rejects(inShell(again, { env, cwd }), ({ stdout }) => stdout.includes("precondition_failed"));
});

test("the curl commands of incremental sync export what is stored of one person", async () => {
  const EMAIL = "ann+tickets@example.org";
  await stage.put(...purchase(EMAIL), attendeeRecord(organisationId, 9_001, { email: EMAIL }));
  const env = { ...integratorEnvironment, BASE_URL, API_KEY, EMAIL };
  const [block = assert.fail()] = await curlIn("incremental-sync");
  const commands = block.split(/^(?=curl )/m);
  const pages = await Promise.all(commands.map(async (command) => (await inShell(command, { env })).stdout));
  const [orders, attendees] = pages.map((page) => JSON.parse(page).data);
  const [{ tickets, payments, event, ...order }, ...others] = orders;
  assert.deepEqual([others, order.email, tickets.length, payments.length, event.id], [[], EMAIL, 2, 3, 3]);
  assert.deepEqual(
    attendees.map(({ id, email }: { id: number; email: string }) => [id, email]),
    [[9_001, EMAIL]],
  );
});

testClientPackage(project, stage);
testReadme(description);
