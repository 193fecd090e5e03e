import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { paginate, syncChanges, ticketingClient } from "../../packages/client-typescript/index.ts";
import { examplePaths } from "../support/http/examples.ts";
import { baseUrl, one } from "../support/service/journeyService.ts";

const client = ticketingClient({ baseUrl, apiKey: one.credential });

test("the typed client returns all rows of a list", async () => {
  const events: unknown[] = [];
  for await (const event of paginate(client, "/v1/events", { params: { query: { per_page: 7 } } })) events.push(event);
  expect(events).toEqual(await one.rows("/v1/events"));
});

test("the typed client returns all changes of some types, and a cursor after which none follows", async () => {
  const types = ["event", "order"] as const;
  const copy = { event: new Map<number, unknown>(), order: new Map<number, unknown>() };
  let cursor = "";
  for await (const { changes, resumeCursor } of syncChanges(client, { types })) {
    for (const { type, id, data } of changes) copy[type].set(id, data);
    cursor = resumeCursor;
  }
  for (const type of types) {
    const rows = await one.rows(`/v1/${type}s`);
    expect(copy[type]).toEqual(new Map(rows.map((row) => [row.id, row])));
  }
  for await (const { changes } of syncChanges(client, { cursor, types })) expect(changes).toEqual([]);
});

test("the typed client returns one order, and throws the API's code for an unknown one", async () => {
  const [path = ""] = await examplePaths(getOrder, one);
  const id = Number(path.split("/").at(-1));
  const { data } = await client.GET("/v1/orders/{id}", { params: { path: { id } } });
  expect(data).toEqual(await one.json(path));
  const unknown = client.GET("/v1/orders/{id}", { params: { path: { id: Number.MAX_SAFE_INTEGER } } });
  await assert.rejects(unknown, { code: "not_found", status: 404 });
});
