import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { methodsOf } from "../../functions/api/endpoint.ts";
import {
  type GatewayResponse,
  gatewayResponses,
  renderGatewayResponse,
  unknownMethod,
  unknownPath,
} from "../../functions/api/gatewayResponses.ts";
import { routes } from "../../functions/mcp/routes.ts";
import { allFeatures } from "../lib/support/allFeatures.ts";
import { definitionOf, type Json, synthesise } from "../lib/support/synthesise.ts";
import { runJava } from "./support/runJava.ts";

/*
 * The mapping templates of the API in Velocity, whose language API Gateway uses, compared with the answers of the local gateway.
 */

const definition = definitionOf((await synthesise(allFeatures)).template);
/** API Gateway's own, and one with every character that Velocity could interpret. */
const requestIds = ["c6af9ac6-7b61-11e6-9a41-93e8deadbeef", "$context.requestId #set($a = 1) ## #[[x]]# $b é"];

function rendered(templates: readonly string[], requestId: string): unknown[] {
  return runJava(
    "Velocity.java",
    templates.map((template) => ({ template, context: { requestId } })),
  );
}

/** A template with the answer that the local gateway gives in its place. */
type Case = [template: string, answer: (requestId: string) => string];
const bodyOf = (response: GatewayResponse) => (requestId: string) => renderGatewayResponse(response, requestId).body;

const deployed = definition["x-amazon-apigateway-gateway-responses"];
const responses = Object.entries(gatewayResponses).map(
  ([type, response]): Case => [deployed[type].responseTemplates["application/json"], bodyOf(response)],
);

const mocks = Object.entries<Json>(definition.paths).flatMap(([path, item]): Case[] => {
  const methods = routes.filter((endpoint) => endpoint.path === path).flatMap(methodsOf);
  const response: GatewayResponse = methods.length > 0 ? unknownMethod(methods) : unknownPath;
  const { requestTemplates, responses } = item["x-amazon-apigateway-any-method"]["x-amazon-apigateway-integration"];
  const { statusCode } = renderGatewayResponse(response, "");
  const requests = Object.values<string>(requestTemplates).map(
    (text): Case => [text, () => JSON.stringify({ statusCode })],
  );
  return [...requests, [responses.default.responseTemplates["application/json"], bodyOf(response)]];
});

for (const requestId of requestIds) {
  test(`every mapping template renders in Velocity as in the local gateway, for the request ${requestId}`, () => {
    const cases = [...responses, ...mocks];
    assert.deepEqual(
      rendered(
        cases.map(([template]) => template),
        requestId,
      ),
      cases.map(([, answer]) => answer(requestId)),
    );
  });
}

test("the response to other refusals renders as valid JSON without a status", () => {
  const [body] = rendered([deployed.DEFAULT_4XX.responseTemplates["application/json"]], "c6af9ac6");
  const { status, request_id } = JSON.parse(String(body));
  assert.deepEqual([status, request_id], [undefined, "c6af9ac6"]);
});

test("each mapping template of the API is tested", () => {
  const templates = new Set([...responses, ...mocks].map(([template]) => template));
  templates.add(deployed.DEFAULT_4XX.responseTemplates["application/json"]);
  const all: string[] = [];
  JSON.stringify(definition, (key, value) => {
    if (/^(request|response)Templates$/.test(key)) all.push(...Object.values<string>(value));
    return value;
  });
  assert.deepEqual(
    all.filter((template) => !templates.has(template)),
    [],
  );
});
