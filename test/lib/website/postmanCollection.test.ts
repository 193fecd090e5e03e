import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { postmanCollection } from "../../../lib/website/postmanCollection.ts";

const collection = postmanCollection();
const requests = collection.item.flatMap(({ item }) => item);
const urlOf = ({ url }: (typeof requests)[number]["request"]) => url.raw.replace("{{baseUrl}}", "");

test("Postman's collection has a request for each operation that takes an API key, and a test of its status", () => {
  const ofKeys = endpoints.filter(({ caller }) => caller.scheme === "apiKey");
  assert.deepEqual(requests.map(({ name }) => name).sort(), ofKeys.map(({ summary }) => summary).sort());
  for (const { name, event, request } of requests) {
    const { method, status = 200 } = ofKeys.find(({ summary }) => summary === name) ?? assert.fail();
    assert.equal(request.method, method);
    assert.deepEqual(
      event.map(({ script }) => script.exec),
      [[`pm.test("The status is ${status}", () => pm.response.to.have.status(${status}));`]],
    );
  }
});

test("Postman's collection sends only required parameters, and ids that are variables", () => {
  const queries = requests.filter(({ request }) => urlOf(request).includes("?")).map(({ request }) => urlOf(request));
  assert.deepEqual(queries, ["/v1/tickets?barcode=7331050090219", "/v1/attendees?email=ada@example.org"]);
  const known = new Set(collection.variable.map(({ key }) => key));
  for (const { request } of requests) {
    const { header, url } = request;
    assert.deepEqual(
      header.flatMap((one) => ("disabled" in one ? [] : [one.key])),
      request.method === "GET" ? [] : ["Content-Type"],
    );
    for (const [, name = ""] of JSON.stringify(url).matchAll(/\{\{(\w+)\}\}/g)) assert.ok(known.has(name), name);
    assert.doesNotMatch(urlOf(request), /\d{3,}\//);
  }
});

test("in Postman's collection, writes are in a folder of their own, so that a run of another changes nothing", () => {
  const writing = collection.item.filter(({ item }) => item.some(({ request }) => request.method !== "GET"));
  assert.deepEqual(
    writing.map(({ name, item }) => [name, item.some(({ request }) => request.method === "GET")]),
    [["Writes", false]],
  );
});
