import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, test } from "@jest/globals";
import * as z from "zod";
import { endpoints } from "../../functions/endpoints/index.ts";
import { clientOf } from "../support/http/client.ts";
import { startChildService } from "../support/service/childService.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

// Not part of `npm test`, because the importers are downloaded. IMPORTERS is their node_modules.
const { IMPORTERS = "" } = process.env;
const { description } = await startChildService();
const { base_url: baseUrl, organisations } = description;
const key = organisations[0]?.keys.find(({ name }) => name === "All scopes")?.key ?? assert.fail();
const client = clientOf(baseUrl, key);
const directory = temporaryDirectory();
const file = (name: string) => join(directory, name);

const ofKeys = endpoints.filter(({ caller }) => caller.scheme === "apiKey");
const numberOfGets = ofKeys.filter(({ method }) => method === "GET").length;

/** Runs a program of the importers in a directory, by default an empty one of the tests. */
async function run(program: string, words: string[], cwd = directory): Promise<void> {
  await promisify(execFile)(process.execPath, [join(IMPORTERS, ".bin", program), ...words], { cwd });
}

interface Sent {
  method: string;
  url: string;
  status: number | undefined;
}

const NewmanReport = z.object({
  run: z.object({
    executions: z.array(
      z.object({
        request: z.object({ method: z.string(), url: z.unknown() }),
        response: z.object({ code: z.int() }).optional(),
        assertions: z.array(z.unknown()).default([]),
      }),
    ),
  }),
});

/** @throws Error if a test of a request fails. */
async function runNewman(collection: string, variables: Record<string, string>) {
  const given = Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
  const report = file("newman.json");
  await run("newman", ["run", collection, ...given, "--reporters", "json", "--reporter-json-export", report]);
  const { executions } = NewmanReport.parse(JSON.parse(await readFile(report, "utf8"))).run;
  return {
    assertions: executions.flatMap(({ assertions }) => assertions).length,
    sent: executions.map(
      ({ request, response }): Sent => ({
        method: request.method,
        url: JSON.stringify(request.url),
        status: response?.code,
      }),
    ),
  };
}

const BrunoReport = z.array(
  z.object({
    results: z.array(
      z.object({
        request: z.object({ method: z.string(), url: z.string() }),
        response: z.object({ status: z.unknown() }),
        postResponseTestResults: z.array(z.object({ status: z.string() })).default([]),
      }),
    ),
  }),
);

async function runBruno(collection: string, variables: Record<string, string>) {
  const given = Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
  const report = file("bruno.json");
  await run("bru", ["run", "-r", ...given, "--reporter-json", report], collection);
  const [{ results } = assert.fail()] = BrunoReport.parse(JSON.parse(await readFile(report, "utf8")));
  return {
    assertions: results.flatMap(({ postResponseTestResults }) => postResponseTestResults).length,
    sent: results.map(
      ({ request, response }): Sent => ({
        method: request.method,
        url: request.url,
        status: z.int().optional().catch(undefined).parse(response.status),
      }),
    ),
  };
}

const succeeded = ({ status }: Sent) => status === 200 || status === 201;

beforeAll(async () => {
  await writeFile(file("v1.json"), JSON.stringify(await client.json("/openapi/v1.json")));
  await writeFile(file("collection.json"), JSON.stringify(await client.json("/clients/postman-collection.json")));
});

describe("the OpenAPI document", () => {
  test("imported into Postman as the guide says sends every request, and each succeeds", async () => {
    const guide = await readFile("docs/integrators/clients.md", "utf8");
    const [, options = ""] = /`-O (\S+)`/.exec(guide) ?? [];
    await run("openapi2postmanv2", ["-s", "v1.json", "-o", "imported.json", "-O", options]);
    const { sent } = await runNewman("imported.json", { baseUrl, bearerToken: key });
    assert.equal(sent.length, ofKeys.length);
    assert.equal(sent.filter(({ method }) => method === "GET").length, numberOfGets);
    assert.deepEqual(
      sent.filter((one) => !succeeded(one)),
      [],
    );
  });

  test("imported into Bruno succeeds, except for the required parameters that Bruno loses", async () => {
    await run("bru", ["import", "openapi", "-s", "v1.json", "-o", directory, "--collection-format", "bru"]);
    const { sent } = await runBruno(file("Ticketing API"), { baseUrl, token: key });
    assert.equal(sent.length, ofKeys.length);
    const failed = sent.filter((one) => !succeeded(one)).map(({ url, status }) => `${status} ${url}`);
    assert.deepEqual(failed.sort(), [`400 ${baseUrl}/v1/attendees`, `400 ${baseUrl}/v1/tickets`]);
  });
});

describe("the collection for Postman", () => {
  test("passes its tests in Newman with nothing but a key", async () => {
    const { sent, assertions } = await runNewman(file("collection.json"), { apiKey: key });
    assert.deepEqual([sent.length, assertions], [ofKeys.length, ofKeys.length]);
    assert.deepEqual(
      sent.filter((one) => !succeeded(one)),
      [],
    );
  });

  test("passes its tests in Bruno with nothing but a key", async () => {
    await convertForBruno("collection.json", file("bruno"));
    const { sent, assertions } = await runBruno(file("bruno"), { apiKey: key });
    assert.deepEqual([sent.length, assertions], [ofKeys.length, ofKeys.length]);
    assert.deepEqual(
      sent.filter((one) => !succeeded(one)),
      [],
    );
  });
});

/** Bruno's own import of a collection, which only its window offers. */
async function convertForBruno(collection: string, target: string): Promise<void> {
  await mkdir(target);
  const program = `
    const { postmanToBruno } = require("@usebruno/converters");
    const { createCollectionFromBrunoObject } = require("@usebruno/cli/src/utils/collection");
    const [, collection, target] = process.argv;
    postmanToBruno(JSON.parse(require("node:fs").readFileSync(collection, "utf8")), {})
      .then((converted) => createCollectionFromBrunoObject(converted.collection ?? converted, target, { format: "bru" }));`;
  const environment = { ...process.env, NODE_PATH: IMPORTERS };
  await promisify(execFile)(process.execPath, ["-e", program, collection, target], {
    cwd: directory,
    env: environment,
  });
}
