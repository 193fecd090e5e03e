import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { createWebhook } from "../../functions/endpoints/createWebhook.ts";
import { routes } from "../../functions/mcp/routes.ts";
import { assertInvalidParameters, assertProblem } from "../support/http/assertProblem.ts";
import { examplePaths } from "../support/http/examples.ts";
import { exampleBody, textOf, withQuery } from "../support/http/send.ts";
import { ownOrganisation } from "../support/service/ownOrganisation.ts";
import { callersOf, one } from "../support/service/testedService.ts";

const badTimes = ["", "yesterday", "2026-13-01", "2026-01-01T00:00:00+01:00"];
const badTexts = ["", "%20%0A", "%C3%A9".repeat(1_025), "a%00", "%FF"];

/** Values that endpoints must refuse, by parameter. */
const badParameters: Record<string, string[]> = {
  per_page: ["", "0", "1001", "-1", "05", "1.5", "1e2", "5%20", "%D9%A5"],
  changed_since: [...badTimes, "2999-01-01"],
  from: badTimes,
  to: badTimes,
  completed_from: badTimes,
  completed_to: badTimes,
  reference: badTexts,
  barcode: badTexts,
  email: badTexts,
  days: ["0", "91", "", "1.5", "07", "30%20"],
  expand: ["", "orders", "order,order", "order,", "Order", "order.event"],
  types: ["", "orders", "order,order", "order,", "Order"],
  cursor: ["", "x", "%F0%9F%8E%AB", "a".repeat(513)],
};

for (const endpoint of routes) {
  const { operationId, query } = endpoint;
  const { one } = callersOf(endpoint);
  const declared = Object.keys(query?.shape ?? {});
  const refuses = async (path: string, text: string, ...names: string[]) =>
    assertInvalidParameters(await one.call(endpoint, withQuery(path, text)), ...names);

  test(`${operationId} refuses an unknown, repeated or invalid parameter by name`, async () => {
    const [path = ""] = await examplePaths(endpoint, one);
    const unknown = ["colour", "Per_page", "per_page[]", "organisation_id", "__proto__", ""];
    for (const name of unknown) await refuses(path, `${encodeURIComponent(name)}=1`, name);
    await refuses(path, "colour=1&size=2&colour=3", "colour", "size");
    for (const name of declared) {
      const bad = badParameters[name];
      assert.ok(bad, `badParameters lacks ${name}.`);
      const others = path.includes(`${name}=`) ? endpoint.path : path;
      for (const value of bad) await refuses(others, `${name}=${value}`, name);
      await refuses(others, `${name}=1&${name}=1`, name);
    }
  });
}

test("a response never repeats a key from the query", async () => {
  const { credential } = one;
  for (const query of [`${credential}=1`, `x[${credential}]=`, `per_page=${credential}`, `cursor=${credential}`]) {
    const answer = await one.get(`/v1/events?${query}`);
    assertProblem(answer, "invalid_request");
    assert.ok(!textOf(answer).includes(credential.slice(12)), query);
  }
});

const tooLong = (length: number) => "a".repeat(length + 1);

/** Values that endpoints must refuse, by member of a body. */
const badMembers: Record<string, unknown[]> = {
  jsonrpc: [null, 2, "1.0"],
  id: [null, true, 1.5, {}],
  params: ["a", 1, [1]],
  earlier_secret_until: ["2026-11-27T10:00:00Z", true],
  name: [null, 7, "", "   ", ["a"], {}, tooLong(100), "a\u0000b", "\u202Eabc", "\uFEFF", `Sync tsk_${"a".repeat(49)}`],
  type: [null, "", "payout", "PAYMENT", ["payment"]],
  amount: [null, "5", 0, -1, 1.5, 1e300, 2 ** 53],
  date: [7, "", "2026-02-30", "2026-01-01T24:00"],
  method: [7, "", tooLong(255), "\ud800", "a\u0000"],
  external_reference: [7, "", tooLong(255)],
  note: [7, "", tooLong(2_000)],
  url: [null, 7, "", "example.org", "http://192.31.196.1/", "https://a:b@192.31.196.1/", "https://10.0.0.1/"],
  types: [7, [], "order", ["orders"], ["order", "order"], [null]],
  description: [7, tooLong(200), "a\nb", ["a"]],
  status: [null, "", "disabled", "ACTIVE"],
  from: [null, 7, "", "2026-02-30", "2020-01-01", "2999-01-01T00:00:00Z"],
  admin_note: [7, tooLong(5_000), ["a"], false, "\udc00", "\u0000"],
  scopes: [null, "read", {}, ["write"], ["read", "read"], ["READ"], [null], ["__proto__"]],
};

const { admin, writer } = await ownOrganisation("errorsAndRetries");
// A webhook to update.
await admin.call(createWebhook, createWebhook.path);

for (const endpoint of routes.filter(({ body }) => body !== undefined)) {
  const { operationId, body } = endpoint;
  const example: Record<string, unknown> = { ...exampleBody(endpoint) };
  const own = endpoint.caller.scheme === "superAdmin" ? admin : writer;
  const members = Object.entries(body?.shape ?? {});
  const sendBody = async (body: string | Buffer, headers = {}) =>
    own.call(endpoint, (await examplePaths(endpoint, own))[0] ?? "", { body, headers });
  const refuses = async (value: unknown, ...pointers: string[]) =>
    assertInvalidMembers(await sendBody(JSON.stringify(value)), ...pointers);

  test(`${operationId} refuses a body that is not JSON in UTF-8 by its headers`, async () => {
    const json = "application/json";
    for (const [name, value] of [
      ...["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "x", ""].map(
        (type) => ["Content-Type", type] as const,
      ),
      ["Content-Type", `${json}; charset=iso-8859-1`],
      ["Content-Encoding", "x-unknown"],
    ] as const) {
      const answer = await sendBody(JSON.stringify(example), { "Content-Type": json, [name]: value });
      const { errors } = assertProblem(answer, "unsupported_media_type");
      assert.deepEqual(
        errors?.map((error) => "parameter" in error && error.parameter),
        [name.toLowerCase()],
      );
    }
    const { status } = await sendBody(JSON.stringify(example), { "Content-Type": "APPLICATION/JSON; charset=utf-8" });
    assert.equal(status, endpoint.status ?? 200);
  });

  test(`${operationId} refuses a body that is not a JSON object`, async () => {
    const notUtf8 = Buffer.from([...Buffer.from('{"x":"'), 0xc3, 0x28, ...Buffer.from('"}')]);
    for (const text of ["", "{", "name=x", "[".repeat(100_000), "[]", "null", "7", '"text"', notUtf8])
      assertInvalidMembers(await sendBody(text), "");
  });

  test(`${operationId} refuses a body of more than 128 KB`, async () => {
    assertProblem(await sendBody(JSON.stringify({ ...example, colour: "a".repeat(128 * 1_024) })), "payload_too_large");
  });

  test(`${operationId} refuses an unknown or repeated member by name, with keys redacted`, async () => {
    for (const name of ["colour", "Name", "organisation_id", "constructor", "a/b~c", ""])
      await refuses({ ...example, [name]: 1 }, `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    await refuses({ ...example, a: 1, b: 2 }, "/a", "/b");
    await refuses({ ...example, ["__proto__"]: { name: "x" } }, "/__proto__");
    await refuses({ ...example, [`x ${one.credential}`]: 1 }, "/x [redacted]");
    for (const [name, value] of Object.entries(example)) {
      const repeated = JSON.stringify({ [name]: value }).slice(1);
      assertInvalidMembers(await sendBody(`${JSON.stringify(example).slice(0, -1)},${repeated}`), `/${name}`);
    }
  });

  test(`${operationId} refuses each invalid or missing member by name`, async () => {
    for (const [name, schema] of members) {
      const bad = badMembers[name];
      assert.ok(bad, `badMembers in test/promises/errorsAndRetries.test.ts lacks ${name}.`);
      for (const value of bad) {
        const answer = await sendBody(JSON.stringify({ ...example, [name]: value }));
        const { errors = [] } = assertProblem(answer, "invalid_request");
        const named = errors.map((error) => "pointer" in error && error.pointer.split("/")[1]);
        assert.deepEqual(new Set(named), new Set([name]), `${name}: ${value}`);
      }
      const { [name]: _, ...others } = example;
      if (!schema.safeParse(undefined).success) await refuses(others, `/${name}`);
    }
    const required = members.flatMap(([name, schema]) => (schema.safeParse(null).success ? [] : [name]));
    const nulls = Object.fromEntries(required.map((name) => [name, null]));
    if (required.length > 0) await refuses(nulls, ...required.map((name) => `/${name}`));
  });
}

for (const endpoint of routes.filter(({ body, method }) => body === undefined && method === "POST")) {
  test(`${endpoint.operationId}, which takes no body, refuses members by name`, async () => {
    const { one } = callersOf(endpoint);
    const [path = ""] = await examplePaths(endpoint, one);
    const headers = { "Content-Type": "application/json" };
    const body = '{"at": "2999-01-01T00:00:00Z"}';
    assertInvalidMembers(await one.call(endpoint, path, { body, headers }), "/at");
  });
}

/** Asserts that a request was refused because of exactly these members of its body. */
function assertInvalidMembers(answer: Parameters<typeof assertProblem>[0], ...pointers: string[]): void {
  const { errors = [] } = assertProblem(answer, "invalid_request");
  assert.deepEqual(new Set(errors.map((error) => "pointer" in error && error.pointer)), new Set(pointers));
}
