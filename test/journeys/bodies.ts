import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { routes as endpoints } from "../../functions/mcp/routes.ts";
import { assertProblem } from "../support/http/assertProblem.ts";
import { examplePaths } from "../support/http/examples.ts";
import { exampleBody } from "../support/http/send.ts";
import { callersOf } from "../support/service/journeyService.ts";

/** For each member that a body may have, values that it must refuse. */
const badValues: Record<string, unknown[]> = {
  jsonrpc: [null, 2, "1.0", ""],
  id: [null, true, 1.5, {}, []],
  params: [null, 7, "a", []],
  earlier_secret_until: ["2026-11-27T10:00:00Z", 7, true],
  name: [
    null,
    7,
    "",
    "   ",
    ["a"],
    {},
    "a".repeat(101),
    "a\u0000b",
    "\u202Eabc",
    "a\u200Bb",
    "\uFEFF",
    "a\u200D👩",
    "a\uFE0F",
    `Sync tsk_${"a".repeat(49)}`,
  ],
  type: [null, "", "payout", "PAYMENT", 1, ["payment"]],
  amount: [null, "5", 0, -1, 1.5, 1e300, 2 ** 53, {}, true],
  date: [7, "", "yesterday", "2026-02-30", "20260101", "2026-01-01T24:00"],
  method: [7, "", "a".repeat(256), "\ud800", "a\u0000"],
  external_reference: [7, "", "a".repeat(256)],
  note: [7, "", "a".repeat(2_001)],
  url: [
    null,
    7,
    "",
    "example.org",
    "http://192.31.196.1/",
    "https://a:b@192.31.196.1/",
    "https://127.0.0.1.nip/",
    "https://10.0.0.1/",
  ],
  types: [7, [], "order", ["orders"], ["order", "order"], [null], {}],
  description: [7, "a".repeat(201), "a\nb", ["a"]],
  status: [null, 7, "", "disabled", "ACTIVE"],
  from: [null, 7, "", "yesterday", "2026-02-30", "2020-01-01", "2999-01-01T00:00:00Z"],
  admin_note: [7, "a".repeat(5_001), ["a"], {}, false, "\udc00", "\u0000"],
  scopes: [null, "read", {}, ["write"], ["read", "read"], ["READ"], [null], [["read"]], ["__proto__"]],
};

const notObjects = ["[]", "null", "7", '"text"', "true"];
const notJson = ["", "{", "{'name':1}", "name=x", "\u0000", '{"name":"a",}', "[".repeat(100_000)];
const notJsonTypes = ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "x", ""];

for (const endpoint of endpoints.filter(({ body }) => body !== undefined)) {
  const { operationId, body } = endpoint;
  const example: Record<string, unknown> = { ...exampleBody(endpoint) };
  const { one } = callersOf(endpoint);
  let path = "";

  beforeAll(async () => {
    [path = ""] = await examplePaths(endpoint, one);
  });

  const sendJson = (value: unknown, headers = {}) => one.call(endpoint, path, { body: JSON.stringify(value), headers });

  test(`${operationId} refuses a body without a JSON content type`, async () => {
    for (const type of notJsonTypes) {
      assertProblem(await sendJson(example, { "Content-Type": type }), "unsupported_media_type");
    }
    const headers = { "Content-Type": "APPLICATION/JSON; charset=utf-8" };
    assert.equal((await sendJson(example, headers)).status, endpoint.status ?? 200);
  });

  test(`${operationId} refuses another charset, an encoding, invalid UTF-8 and more than 128 KB`, async () => {
    for (const [name, value] of [
      ["Content-Type", "application/json; charset=iso-8859-1"],
      ["Content-Encoding", "x-unknown"],
    ] as const) {
      const answer = await sendJson(example, { "Content-Type": "application/json", [name]: value });
      const { errors } = assertProblem(answer, "unsupported_media_type");
      assert.deepEqual(
        errors?.map((error) => "parameter" in error && error.parameter),
        [name.toLowerCase()],
      );
    }
    const invalid = Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    assertInvalidMembers(await one.call(endpoint, path, { body: invalid }), "");
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`member${index}`, index]));
    assertProblem(await sendJson(many), "payload_too_large");
  });

  test(`${operationId} refuses a body that is not a JSON object`, async () => {
    for (const text of [...notJson, ...notObjects])
      assertInvalidMembers(await one.call(endpoint, path, { body: text }), "");
  });

  test(`${operationId} refuses unknown members by name, with secrets redacted`, async () => {
    const unknown = ["colour", "Name", "organisation_id", "id", "constructor", "a/b~c", ""];
    for (const name of unknown.filter((one) => !Object.hasOwn(body?.shape ?? {}, one))) {
      const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      assertInvalidMembers(await sendJson({ ...example, [name]: 1 }), pointer);
    }
    assertInvalidMembers(await sendJson({ ...example, a: 1, b: 2 }), "/a", "/b");
    assertInvalidMembers(await sendJson({ ...example, [`x ${one.credential}`]: 1 }), "/x [redacted]");
    const text = JSON.stringify({ ...example, ["__proto__"]: { name: "x" } });
    assertInvalidMembers(await one.call(endpoint, path, { body: text }), "/__proto__");
  });

  test(`${operationId} refuses repeated members by name, even with the same value`, async () => {
    const members = Object.entries(example).map((member) => member.map((part) => JSON.stringify(part)).join(": "));
    for (const [index, name] of Object.keys(example).entries())
      assertInvalidMembers(await one.call(endpoint, path, { body: `{${[...members, members[index]]}}` }), `/${name}`);
  });

  test(`${operationId} refuses each invalid and each missing member by name`, async () => {
    for (const [name, schema] of Object.entries(body?.shape ?? {})) {
      const bad = badValues[name];
      assert.ok(bad, `badValues in test/journeys/bodies.ts lacks ${name}.`);
      for (const value of bad) {
        const { errors = [] } = assertProblem(await sendJson({ ...example, [name]: value }), "invalid_request");
        const pointers = errors.map((error) => ("pointer" in error ? error.pointer : ""));
        assert.ok(
          pointers.every((pointer) => pointer.split("/")[1] === name) && pointers.length > 0,
          `${name}: ${value}`,
        );
      }
      const { [name]: _, ...others } = example;
      if (!schema.safeParse(undefined).success) assertInvalidMembers(await sendJson(others), `/${name}`);
    }
    const every = Object.entries(body?.shape ?? {}).flatMap(([name, schema]) =>
      schema.safeParse(null).success ? [] : [name],
    );
    if (every.length === 0) return;
    assertInvalidMembers(
      await sendJson(Object.fromEntries(every.map((name) => [name, null]))),
      ...every.map((name) => `/${name}`),
    );
  });
}

for (const endpoint of endpoints.filter(({ body, method }) => body === undefined && method === "POST")) {
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
