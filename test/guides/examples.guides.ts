import assert from "node:assert/strict";
import { afterAll, test } from "@jest/globals";
import { paginate, ticketingClient } from "../../clients/typescript/index.ts";
import { collect } from "../support/http/collect.ts";
import { startChildService } from "../support/service/childService.ts";
import { acceptedAt, eventIds, integratorStage, orderIds, organisationId } from "../support/service/integratorStage.ts";
import { exampleRunner, type Guide, type Language } from "./guideExamples.ts";

// Not part of `npm test`, because a machine may lack curl or Python.
const languages: Language[] = ["sh", "js", "python"];
const stage = await integratorStage((await startChildService()).description);
const client = ticketingClient(stage);
const runners: Awaited<ReturnType<typeof exampleRunner>>[] = [];
afterAll(() => Promise.all(runners.map((runner) => runner.remove())));

async function runnerOf(guide: Guide, language: Language, environment: Record<string, string> = {}) {
  const { baseUrl: BASE_URL, apiKey: API_KEY } = stage;
  const runner = await exampleRunner(guide, language, { BASE_URL, API_KEY, ...environment });
  runners.push(runner);
  return runner;
}

for (const language of languages) {
  test(`the ${language} example of authentication prints the key's organisation`, async () => {
    assert.equal(await (await runnerOf("authentication", language)).run(), `organisation ${organisationId}`);
  });

  test(`the ${language} example of paging counts the events of all pages`, async () => {
    assert.equal(await (await runnerOf("paging", language)).run(), `${eventIds.length} events`);
  });

  test(`the ${language} example of errors and retries prints the problem`, async () => {
    assert.equal(await (await runnerOf("errors-and-retries", language)).run(), "404 not_found");
  });
}

for (const [index, language] of languages.entries()) {
  test(`the ${language} example of incremental sync gets all changes, and only new ones the next time`, async () => {
    const { run } = await runnerOf("incremental-sync", language);
    assert.equal(await run(), `${orderIds.length} changes`);
    assert.equal(await run(), "0 changes");
    await stage.changeOrder(orderIds[index] ?? 0, acceptedAt(1_000 + index), `BY ${language}`);
    assert.equal(await run(), "1 changes");
  });
}

// After the examples of the sync, which shows the changes of these only after a while.
for (const [index, language] of languages.entries()) {
  test(`the ${language} example of idempotent writes records a payment once`, async () => {
    const id = eventIds[index] ?? 0;
    const { run } = await runnerOf("idempotent-writes", language, { EVENT_ID: String(id) });
    assert.equal(await run(), "balance 1250, and again 1250");
    assert.equal(await run(), "balance 2500, and again 2500");
    const records = paginate(client, "/v1/events/{id}/balance-payments", { params: { path: { id } } });
    const balances = (await collect(records)).map(({ balance_after }) => balance_after);
    assert.deepEqual(balances, [2500, 1250]);
  });

  test(`the ${language} example of conditional updates changes only the version that it has read`, async () => {
    const id = orderIds[index] ?? 0;
    const { run } = await runnerOf("conditional-updates", language, { ORDER_ID: String(id) });
    assert.equal(await run(), "200, then 412");
    const { data } = await client.GET("/v1/orders/{id}", { params: { path: { id } } });
    assert.equal(data.admin_note, "Wheelchair place");
  });
}
