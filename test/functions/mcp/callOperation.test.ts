import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { Reply } from "../../../functions/api/response.ts";
import { callOperation, maximumResultBytes } from "../../../functions/mcp/callOperation.ts";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { Problem } from "../../../functions/problem.ts";

const facts = { startedMs: 0, usage: { calls: {}, capacityUnits: 0 }, caller: {} };
const request = {
  authorizer: {},
  pathParameters: {},
  queryParameters: { cursor: ["c"] },
  headers: {},
  repeatedHeaders: [],
  body: { contentType: undefined, text: null },
  baseUrl: "https://api.example.org",
};

const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
const textOf = (bytes: number) => "é".repeat(bytes / 2);

/** An operation with rows of these sizes, whose pages end like those of the API. */
function pagesOf(sizes: number[]) {
  const asked: unknown[] = [];
  const answer: Endpoint["answer"] = async ({ queryParameters }) => {
    asked.push(queryParameters);
    const { per_page: [text = "50"] = [] } = queryParameters;
    const per_page = Number(text);
    const data = sizes.slice(0, per_page).map((size, id) => ({ id, note: textOf(size) }));
    return new Reply({ data, pagination: { per_page, has_more: true, next_cursor: `after ${data.length}` } });
  };
  return { asked, operation: { ...mcp, answer } };
}

const bodyOf = (body: object): Endpoint => ({ ...mcp, answer: async () => new Reply(body) });

test("a result that fits is the response, from one call", async () => {
  const { asked, operation } = pagesOf([10, 20]);
  const body = await callOperation(operation, request, facts);
  assert.deepEqual(body, (await operation.answer(request, facts)).body);
  assert.deepEqual(asked, [{ cursor: ["c"] }, { cursor: ["c"] }]);
});

test("a page that is too large comes with fewer rows, and its cursor follows the last of them", async () => {
  for (const sizes of [Array(50).fill(2_000), [100, 100, 10_000, ...Array(6).fill(9_000)], Array(9).fill(8_000)]) {
    const { asked, operation } = pagesOf(sizes);
    const body = Object(await callOperation(operation, request, facts));
    assert.ok(sizeOf(body) <= maximumResultBytes && body.data.length > 0);
    assert.equal(body.pagination.next_cursor, `after ${body.data.length}`);
    assert.deepEqual(asked.at(-1), { cursor: ["c"], per_page: [String(body.pagination.per_page)] });
  }
});

test("an order that is too large has the first of its tickets, and says that there are more", async () => {
  const tickets = Array.from({ length: 900 }, (_one, id) => ({ id, seat: textOf(100) }));
  const order = { id: 7, tickets, payments: [{ id: 1 }], labels: ["a", "b"] };
  for (const body of [order, { data: [order], pagination: {} }]) {
    const result = Object(await callOperation(bodyOf(body), request, facts));
    const { tickets: first, has_more_tickets, ...others } = "data" in result ? result.data[0] : result;
    assert.ok(sizeOf(result) <= maximumResultBytes && first.length > 100);
    assert.deepEqual(first, tickets.slice(0, first.length));
    assert.deepEqual(
      { has_more_tickets, ...others },
      { has_more_tickets: true, id: 7, payments: [{ id: 1 }], labels: ["a", "b"] },
    );
  }
  assert.equal(tickets.length, 900);
});

test("texts of more than 5,000 characters are cut if the result would be too large, and say so", async () => {
  const [long, note] = [textOf(60_000), textOf(10_000)];
  const cut = `${note}… [cut]`;
  for (const [body, result] of [
    [
      { id: 1, description: long },
      { id: 1, description: cut },
    ],
    [{ data: [{ note }, { event: { name: long } }] }, { data: [{ note }, { event: { name: cut } }] }],
    [{ description: `${"a".repeat(4_999)}🎭${long}` }, { description: `${"a".repeat(4_999)}\ufffd… [cut]` }],
    [{ description: textOf(40_000) }, { description: textOf(40_000) }],
  ] as const)
    assert.deepEqual(await callOperation(bodyOf(body), request, facts), result);
});

test("a result that cannot be made small enough is refused, with the request that returns it", async () => {
  const texts = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`text_${at}`, textOf(10_000)]));
  for (const body of [texts, { data: [texts] }])
    await assert.rejects(
      () => callOperation(bodyOf(body), request, facts),
      (error) =>
        error instanceof Problem && error.code === "invalid_request" && /POST \/mcp returns it/.test(error.message),
    );
});
