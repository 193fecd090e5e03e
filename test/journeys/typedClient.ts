import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { paginate, syncOrders, ticketingClient } from "../../clients/typescript/index.ts";
import { getOrder } from "../../functions/endpoints/getOrder.ts";
import { examplePaths } from "../support/http/examples.ts";
import { baseUrl, one } from "../support/service/journeyService.ts";

const client = ticketingClient({ baseUrl, apiKey: one.credential });

test("the typed client returns all rows of a list", async () => {
  const events: unknown[] = [];
  for await (const event of paginate(client, "/v1/events", { params: { query: { per_page: 7 } } })) events.push(event);
  expect(events).toEqual(await one.rows("/v1/events"));
});

test("the typed client returns all changes of orders, and a cursor from which to continue", async () => {
  const orders: unknown[] = [];
  let cursor = "";
  for await (const page of syncOrders(client, {})) {
    orders.push(...page.orders);
    cursor = page.resumeCursor;
  }
  expect(orders).toEqual(await one.rows("/v1/orders"));
  for await (const page of syncOrders(client, { cursor })) expect(page.orders).toEqual([]);
});

test("the typed client returns one order, and throws the API's code for an unknown one", async () => {
  const [path = ""] = await examplePaths(getOrder, one);
  const id = Number(path.split("/").at(-1));
  const { data } = await client.GET("/v1/orders/{id}", { params: { path: { id } } });
  expect(data).toEqual(await one.json(path));
  const unknown = client.GET("/v1/orders/{id}", { params: { path: { id: Number.MAX_SAFE_INTEGER } } });
  await assert.rejects(unknown, { code: "not_found", status: 404 });
});
