import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { createApiKey } from "../../functions/endpoints/createApiKey.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { revokeApiKey } from "../../functions/endpoints/revokeApiKey.ts";
import { updateApiKey } from "../../functions/endpoints/updateApiKey.ts";
import { updateOrder } from "../../functions/endpoints/updateOrder.ts";
import { Summary } from "../../functions/summaries/summary.ts";
import { assertProblem, findSensitive } from "../support/http/assertProblem.ts";
import { clientOf } from "../support/http/client.ts";
import { withId } from "../support/http/examples.ts";
import { send, textOf } from "../support/http/send.ts";
import { cases } from "../support/jest/cases.ts";
import {
  dropDeadLetter,
  eraseAndRestore,
  onCall,
  rejectOtherStages,
  revokeLeakedKey,
  suspendAndResume,
} from "./badDay.ts";
import { leftOut, promisesLeftOut } from "./emulator/emulatorGaps.ts";
import { logsOf } from "./emulator/inspect.ts";
import { runPromises } from "./runPromises.ts";
import { emulated } from "./startStage.ts";
import { resourcesOf } from "./support/leftovers.ts";
import { deliverAndDisable } from "./webhooks.ts";

/*
 * A deployed stage's requests, and the platform team's commands on a bad day.
 */

for (const [what, reason] of Object.entries({ ...leftOut, ...promisesLeftOut })) {
  console.log(`Left out: ${what}. ${reason}`);
}
const { stage, outputs, baseUrl, records, people, organisations, reader, writer, personOf, renewTokens } = emulated;

test("the deployed functions return imported data, each organisation's only to its own key", async () => {
  const eventsOf = (organisationId: number) =>
    records.flatMap((record) =>
      record.type === "event" && record.organisation_id === organisationId ? [record.data] : [],
    );
  for (const organisationId of [1, 2]) {
    const [own, others] = [eventsOf(organisationId), eventsOf(3 - organisationId)];
    const rows = await reader(organisationId).rows("/v1/events", [7]);
    assert.deepEqual(rows.map(({ id }) => id).toSorted(), own.map(({ id }) => id).toSorted());
    const [event] = own;
    assert.deepEqual(await reader(organisationId).json(`/v1/events/${event?.id}`), event);
    const foreign = others.find(({ id }) => !own.some((one) => one.id === id));
    assert.ok(foreign);
    assertProblem(await reader(organisationId).get(`/v1/events/${foreign.id}`), "not_found");
  }
});

test("summaries equal the sales", async () => {
  const [{ event_id } = { event_id: 0 }] = records.flatMap((record) =>
    record.type === "order" && record.organisation_id === 1 ? [record.data] : [],
  );
  const paid = records.filter(
    (record) =>
      record.type === "order" && record.data.event_id === event_id && /^(paid|refunded)$/.test(record.data.status),
  );
  const { orders_count } = Summary.parse(await reader(1).json(`/v1/events/${event_id}/summary`));
  assert.equal(orders_count, paid.length);
});

test("errors of the gateway and of the endpoints have the same shape", async () => {
  assertProblem(await send(`${baseUrl}/v1/events`, { method: "GET" }), "unauthorized");
  assertProblem(await reader(1).get("/v1/events?colour=red"), "invalid_request");
  assertProblem(await reader(1).call(updateOrder, "/v1/orders/1"), "forbidden");
});

test("a super-admin's key works until it is revoked, and staff cannot create keys", async () => {
  const [admin, staff] = [personOf("super-admin"), personOf("staff")];
  assertProblem(await staff.call(createApiKey, createApiKey.path), "forbidden");
  const { id, key } = JSON.parse(textOf(await admin.call(createApiKey, createApiKey.path)));
  const holder = clientOf(baseUrl, key);
  assert.equal((await holder.get("/v1/key")).status, 200);
  const body = JSON.stringify({ name: "Renamed" });
  assert.equal((await admin.call(updateApiKey, withId(updateApiKey, id), { body })).status, 200);
  assert.equal((await admin.call(revokeApiKey, withId(revokeApiKey, id))).status, 200);
  assertProblem(await holder.get("/v1/key"), "unauthorized");
});

/** Promises that depend only on code that `npm test` also runs. They are left out without THOROUGH=1. */
const independentOfStage = [
  "with any page sizes",
  "refuses an unknown, repeated or invalid parameter by name",
  "for a malformed id and an unknown one",
  "and anything else gets 404",
  "for GET, and 304 without a body for its ETag",
  "refuses a damaged cursor, and one of another list or organisation",
  "with a correct digest shows only the organisation's own rows",
];
/** The cases are always those of `npm test`, because all of them take minutes here. */
const selection = {
  options: cases(["--testNamePattern", `^(?!.*(${independentOfStage.join("|")})$)`], []),
  environment: { THOROUGH: "" },
};

test("the promises over HTTP hold at the deployed stage, except those that the emulator cannot keep", async () => {
  let passed = 0;
  const failures = new Map<string, string>();
  // In parts, each with new tokens: on a busy machine, all pages together take longer than a token is valid.
  for (const part of ["1/3", "2/3", "3/3"]) {
    await renewTokens();
    const options = [...selection.options, "--shard", part];
    const ofPart = await runPromises({ baseUrl, people, organisations }, { ...selection, options });
    passed += ofPart.passed;
    for (const [name, message] of ofPart.failures) failures.set(name, message);
  }
  const unexpected = [...failures].filter(([name]) => !(name in promisesLeftOut));
  assert.deepEqual(Object.fromEntries(unexpected), {});
  // A listed promise that now holds or has another name must leave the list.
  assert.deepEqual(new Set(failures.keys()), new Set(Object.keys(promisesLeftOut)));
  assert.ok(passed > 8 * endpoints.length);
  console.log(`${passed} promises hold.`);
});

test("a webhook is delivered by the deployed function, signed with a rotated secret, and disabled by a 410", async () => {
  await renewTokens();
  await deliverAndDisable(personOf("super-admin"), writer(1));
});

const commands = onCall(stage.environment);

test("on call revokes a leaked key: its next request gets 401", () =>
  revokeLeakedKey(commands, personOf("super-admin"), baseUrl));

test("on call suspends one organisation and resumes it", () =>
  suspendAndResume(commands, reader(2), personOf("super-admin", 2), reader(1)));

test("an organisation is erased and restored alone: every GET answers as before, and its keys work again", () =>
  eraseAndRestore(commands, writer(2), reader(1)));

test("the commands reject a table or queue of another stage", () => rejectOtherStages(commands, outputs));
test("a dead letter is dropped into a file", () => dropDeadLetter(commands, outputs.FeedQueueUrl));

test("no log of a deployed function contains a key, a hash, a token or personal data", async () => {
  const keys = organisations.flatMap((organisation) => organisation.keys.map(({ key }) => key));
  const groups = (await resourcesOf(stage.stack))["log groups"] ?? [];
  const names = groups.filter((name) => name.startsWith("/"));
  const texts = await Promise.all(names.map((name) => logsOf(name)));
  assert.deepEqual(findSensitive(texts.join("\n"), keys), []);
  for (const { operationId } of endpoints) {
    assert.ok(
      texts.some((text) => text.includes(`"operation_id":"${operationId}"`)),
      operationId,
    );
  }
});
