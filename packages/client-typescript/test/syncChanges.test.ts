import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { collect } from "../../../test/support/http/client.ts";
import { type ChangesPage, paginate, syncChanges, TicketingError, ticketingClient } from "../index.ts";

/** The responses to the requests in turn. */
let responses: Response[] = [];
/** The query of each request. */
let queries: string[] = [];
beforeEach(() => {
  queries = [];
});

const client = ticketingClient({
  baseUrl: "https://api.example.com",
  apiKey: "tsk_test",
  maximumRetries: 0,
  async fetch({ url }) {
    queries.push(new URL(url).search);
    return responses.shift() ?? assert.fail("There should be no further request.");
  },
});

function page(id: number, has_more: boolean): Response {
  const resume_cursor = `c${id}`;
  const pagination = { per_page: 1_000, has_more, next_cursor: has_more ? resume_cursor : null, resume_cursor };
  return Response.json({ data: [{ type: "order", id, change: "deleted", data: null }], pagination });
}

const failed = () => new Response(null, { status: 500 });

test("syncChanges continues from each page's cursor to the last page", async () => {
  responses = [page(1, true), page(2, false)];
  const pages = await collect(syncChanges(client));
  assert.deepEqual(
    pages.map(({ changes, resumeCursor }) => [changes.map(({ id }) => id), resumeCursor]),
    [
      [[1], "c1"],
      [[2], "c2"],
    ],
  );
  assert.deepEqual(queries, ["?per_page=1000", "?per_page=1000&cursor=c1"]);
});

test("syncChanges starts at the cursor, or else at the time, which only the first request has", async () => {
  const changedSince = "2026-11-21T10:00+01:00";
  const encoded = "changed_since=2026-11-21T10%3A00%2B01%3A00";
  const date = new Date("2026-11-21T09:00:00Z");
  for (const [start, first] of [
    [{ changedSince }, encoded],
    [{ changedSince: date }, "changed_since=2026-11-21T09%3A00%3A00.000Z"],
    [{ changedSince, cursor: null }, encoded],
    [{ cursor: "c0" }, "cursor=c0"],
    [{ cursor: "c0", changedSince }, "cursor=c0"],
  ] as const) {
    responses = [page(1, true), page(2, false)];
    queries = [];
    await collect(syncChanges(client, start));
    assert.deepEqual(queries, [`?per_page=1000&${first}`, "?per_page=1000&cursor=c1"]);
  }
  await assert.rejects(collect(syncChanges(client, { changedSince: new Date("never") })), RangeError);
});

test("paginate has a start time in its first request only", async () => {
  responses = [page(1, true), page(2, false)];
  await collect(paginate(client, "/v1/changes", { params: { query: { changed_since: "2026-11-21" } } }));
  assert.deepEqual(queries, ["?per_page=1000&changed_since=2026-11-21", "?per_page=1000&cursor=c1"]);
});

test("paginate and syncChanges end with an error if a page leads back to itself", async () => {
  const repeated = /^Error: The page's next_cursor equals the cursor of the request\.$/;
  for (const list of [syncChanges(client), paginate(client, "/v1/changes")]) {
    responses = [page(1, true), page(2, true), page(2, true)];
    queries = [];
    await assert.rejects(collect<unknown>(list), repeated);
    assert.equal(queries.length, 3);
  }
  responses = [page(1, false)];
  assert.equal((await collect(syncChanges(client, { cursor: "c1" }))).length, 1);
});

test("a loop over cursors compiles, and begins at the first page", async () => {
  responses = [page(1, true), page(2, false)];
  let cursor: string | null | undefined;
  do {
    const { data } = await client.GET("/v1/orders", { params: { query: { cursor } } });
    cursor = data.pagination.next_cursor;
  } while (cursor);
  responses = [page(1, false)];
  await client.GET("/v1/orders", { params: { query: { cursor: null } } });
  assert.deepEqual(queries, ["", "?cursor=c1", ""]);
});

test("syncChanges requests the same types on every page, comma-separated, and returns their types", async () => {
  responses = [page(1, true), page(2, false)];
  const pages: ChangesPage<"order" | "ticket">[] = await collect(syncChanges(client, { types: ["order", "ticket"] }));
  assert.equal(pages.length, 2);
  assert.deepEqual(queries, ["?per_page=1000&types=order,ticket", "?per_page=1000&types=order,ticket&cursor=c1"]);
  // @ts-expect-error: the type does not exist.
  assert.ok(syncChanges(client, { types: ["orders"] }));
});

test("syncChanges returns no cursor of a page that it did not return", async () => {
  responses = [page(1, true), failed()];
  const kept: string[] = [];
  await assert.rejects(async () => {
    for await (const { resumeCursor } of syncChanges(client)) kept.push(resumeCursor);
  }, TicketingError);
  assert.deepEqual(kept, ["c1"]);
});
