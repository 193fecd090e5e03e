import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { hasId } from "../../support/http/examples.ts";

/** A place in a request for a client's text: returns the members of the event that contain it. */
type Place = (text: string) => object;

/** Every place of a request to the endpoint, by name. */
export function placesOf(endpoint: Endpoint): Record<string, Place> {
  return { ...queryPlaces(endpoint), ...headerPlaces, ...pathPlaces(endpoint), ...bodyPlaces(endpoint) };
}

function queryPlaces({ query }: Endpoint): Record<string, Place> {
  const declared = Object.keys(query?.shape ?? {}).map((name): [string, Place] => [
    `query value of ${name}`,
    (text) => ({ multiValueQueryStringParameters: { [name]: [text] } }),
  ]);
  return {
    ...Object.fromEntries(declared),
    "query name": (text) => ({ multiValueQueryStringParameters: { [text]: ["1"] } }),
    "many query names": (text) => ({ multiValueQueryStringParameters: split(text, () => ["1"]) }),
    "repeated query value": (text) => ({ multiValueQueryStringParameters: { per_page: [...text.slice(0, 5_000)] } }),
  };
}

const headerNames = [
  "If-Match",
  "If-None-Match",
  "Idempotency-Key",
  "Content-Type",
  "Content-Encoding",
  "X-Forwarded-Host",
];

const headerPlaces: Record<string, Place> = {
  ...Object.fromEntries(
    headerNames.map((name): [string, Place] => [
      `header ${name}`,
      (text) => ({ headers: { "Content-Type": "application/json", [name]: text } }),
    ]),
  ),
  "header name": (text) => ({ headers: { "Content-Type": "application/json", [text]: "1" } }),
};

function pathPlaces(endpoint: Endpoint): Record<string, Place> {
  return hasId(endpoint) ? { "path id": (text) => ({ pathParameters: { id: text } }) } : {};
}

function bodyPlaces({ body }: Endpoint): Record<string, Place> {
  if (!body) return {};
  const members = Object.keys(body.shape).map((name): [string, Place] => [
    `body value of ${name}`,
    (text) => ({ body: JSON.stringify({ [name]: text }) }),
  ]);
  return {
    ...Object.fromEntries(members),
    "body name": (text) => ({ body: JSON.stringify({ [text]: 1 }) }),
    "many body names": (text) => ({ body: JSON.stringify(split(text, () => 1)) }),
    "duplicate body names": (text) => ({
      body: `{${Array.from({ length: 1_000 }, () => `${JSON.stringify(text.slice(0, 90))}:1`)}}`,
    }),
    "nested body": (text) => ({ body: `${'{"a":'.repeat(10_000)}${JSON.stringify(text)}${"}".repeat(10_000)}` }),
    "nested arrays": (text) => ({ body: `{"name":${"[".repeat(text.length / 2)}${"]".repeat(text.length / 2)}}` }),
    "body text": (text) => ({ body: text }),
  };
}

/** The text as distinct names of 8 characters. */
function split<Value>(text: string, value: () => Value): Record<string, Value> {
  const names = Array.from({ length: Math.ceil(text.length / 8) }, (_, index) => index.toString(36) + text.slice(0, 4));
  return Object.fromEntries(names.map((name) => [name, value()]));
}
