import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, test } from "@jest/globals";
import { openApiFiles } from "../../lib/website/openApi.ts";
import type { Json } from "../lib/support/synthesise.ts";

// Not part of `npm test`, because a machine may lack Go.
const directory = mkdtempSync(join(tmpdir(), "ticketing-oasdiff-"));
const env = { ...process.env, GOBIN: directory };
execFileSync("go", ["install", "github.com/oasdiff/oasdiff@v1.37.0"], { env, stdio: ["ignore", "ignore", "inherit"] });
afterAll(() => rmSync(directory, { recursive: true }));

/** The document of the latest release, and oasdiff's levels, which follow the guide on versioning. */
const [released, levels] = ["test/released/1.3.openapi.json", "test/released/oasdiff.levels"];

/** The document of API keys with the messages of webhooks, as the released one. */
function document(): Json {
  const files = openApiFiles();
  const { webhooks } = JSON.parse(files["/openapi.json"]);
  return { ...JSON.parse(files["/openapi/v1.json"]), webhooks };
}

/** @returns the rules that a document breaks for users of the latest release, with the operations. */
function problemsOf(next: Json): string[] {
  const file = join(directory, "next.json");
  writeFileSync(file, JSON.stringify(next));
  const options = ["--severity-levels", levels, "--fail-on", "WARN", "--format", "json"];
  const oasdiff = join(directory, "oasdiff");
  const { status, stdout, stderr } = spawnSync(oasdiff, ["breaking", ...options, released, file], { encoding: "utf8" });
  assert.ok(status === 0 || status === 1, stderr);
  const problems: { id: string; text: string; path: string }[] = JSON.parse(stdout);
  assert.equal(problems.length > 0, status === 1);
  return problems.map(({ id, path, text }) => `${id}: ${path}: ${text}`);
}

test("the document keeps what the latest release promised", () => {
  assert.deepEqual(problemsOf(document()), []);
});

const listEvents = ({ paths }: Json) => paths["/v1/events"].get;
const updateOrder = ({ paths }: Json) => paths["/v1/orders/{id}"].patch;
const event = ({ components }: Json) => components.schemas.Event;
const year = { name: "year", in: "query", schema: { type: "integer" } };

const broken: [string, (next: Json) => void, RegExp][] = [
  ["an operation less", (next) => delete next.paths["/v1/attendees"].get, /^api-removed-without-deprecation/],
  ["a field less", (next) => delete event(next).properties.name, /^response-required-property-removed/],
  ["another type", (next) => Object.assign(event(next).properties.name, { type: "integer" }), /type-changed/],
  ["null", (next) => Object.assign(event(next).properties.name, { type: ["string", "null"] }), /became-nullable/],
  ["a new required parameter", (next) => listEvents(next).parameters.push({ ...year, required: true }), /new-required/],
  ["a parameter less", (next) => listEvents(next).parameters.splice(0, 1), /^request-parameter-removed/],
  ["another default", ({ components }) => components.parameters.PerPage.schema.default++, /default-value-changed/],
  ["a lower maximum", ({ components }) => components.parameters.PerPage.schema.maximum--, /max-decreased/],
  ["another scope", (next) => updateOrder(next).security[0].ApiKeyAuth.push("read"), /^api-security-scope-added/],
  ["a message of webhooks less", ({ webhooks }) => delete webhooks.restart, /^webhook-removed/],
  ["another status", (next) => delete updateOrder(next).responses[412], /^response-non-success-status-removed/],
];

test.each(broken)("a document with %s is noticed", (_, change, problem) => {
  const next = document();
  change(next);
  const problems = problemsOf(next);
  assert.ok(
    problems.some((one) => problem.test(one)),
    problems.join("\n"),
  );
});

const allowed: [string, (next: Json) => void][] = [
  [
    "an optional parameter",
    (next) => listEvents(next).parameters.push({ ...year, schema: { ...year.schema, default: 0 } }),
  ],
  ["a field", (next) => Object.assign(event(next).properties, { year: { type: "integer" } })],
  ["a value of an enumeration", ({ components }) => components.schemas.Order.properties.status.enum.push("new")],
  [
    "an operation",
    ({ paths }) => Object.assign(paths, { "/v1/venues": { get: { responses: { 200: { description: "OK" } } } } }),
  ],
];

test.each(allowed)("a document with %s more is allowed", (_, change) => {
  const next = document();
  change(next);
  assert.deepEqual(problemsOf(next), []);
});
