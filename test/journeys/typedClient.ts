import assert from "node:assert/strict";
import { test } from "node:test";
import { paginate, syncOrders, ticketingClient } from "../../clients/typescript/index.ts";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { examplePaths } from "../support/examples.ts";
import { baseUrl, one } from "../support/journeyService.ts";

const client = ticketingClient({ baseUrl, apiKey: one.credential });

test("the typed client pages through a list to its end, as whoever asks page by page", async () => {
  const events: unknown[] = [];
  for await (const event of paginate(client, "/v1/events", { params: { query: { per_page: 7 } } })) events.push(event);
  assert.deepEqual(events, await one.rows("/v1/events"));
});

test("the typed client follows the changes of orders to their end, and knows where to go on", async () => {
  const orders: unknown[] = [];
  let cursor = "";
  for await (const page of syncOrders(client, {})) {
    orders.push(...page.orders);
    cursor = page.resumeCursor;
  }
  assert.deepEqual(orders, await one.rows("/v1/orders"));
  for await (const page of syncOrders(client, { cursor })) assert.deepEqual(page.orders, []);
});

test("the typed client gets one order as the API shows it, and tells an unknown one by its code", async () => {
  const [path = ""] = await examplePaths(getOrder, one);
  const id = Number(path.split("/").at(-1));
  const { data } = await client.GET("/v1/orders/{id}", { params: { path: { id } } });
  assert.deepEqual(data, await one.json(path));
  const unknown = client.GET("/v1/orders/{id}", { params: { path: { id: Number.MAX_SAFE_INTEGER } } });
  await assert.rejects(unknown, { code: "not_found", status: 404 });
});
